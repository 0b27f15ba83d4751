/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commits the fault that its argument names: UndefinedBehaviorSanitizer must end this program. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *fault = argc > 1 ? argv[1] : "";
    volatile int most = INT_MAX;
    volatile double nothing = 0.0, huge = 1e300;
    if (strcmp(fault, "overflow") == 0)
        printf("%d\n", most + 1);
    else if (strcmp(fault, "division") == 0)
        printf("%g\n", 1.0 / nothing);
    else if (strcmp(fault, "cast") == 0)
        printf("%d\n", (int)huge);
    return EXIT_SUCCESS;
}
