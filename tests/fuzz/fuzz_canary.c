/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A target with a deliberate fault behind a word that no seed holds: a fuzz run that does not find it is worth nothing.
 */
#include "fuzz.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (count >= 4 && bytes[0] == 'f' && bytes[1] == 'u' && bytes[2] == 'z' && bytes[3] == 'z')
        printf("%d\n", bytes[count]);
    return 0;
}
