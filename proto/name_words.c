/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names of columns as words in small letters. */

#include "proto/name_words.h"

#include <string.h>

enum { WORDS_BYTES = 128 };

/* The words of a name in small letters, with a blank before and behind each: a word is then found with strstr(). Of a
 * name that is longer only the beginning counts. */
static void words_of(struct text_piece name, char words[WORDS_BYTES])
{
    size_t used = 0;
    words[used++] = ' ';
    for (size_t i = 0; i < name.length && used < WORDS_BYTES - 2; i++) {
        char letter = name.text[i];
        if (letter >= 'A' && letter <= 'Z')
            letter = (char)(letter + ('a' - 'A'));
        const bool belongs = (letter >= 'a' && letter <= 'z') || (unsigned char)letter >= 0x80;
        if (belongs || words[used - 1] != ' ')
            words[used++] = belongs ? letter : ' ';
    }
    if (words[used - 1] != ' ')
        words[used++] = ' ';
    words[used] = '\0';
}

/* Whether a name has one of the signs in it, up to a NULL. */
static bool has_sign(struct text_piece name, const char *const *signs)
{
    char words[WORDS_BYTES];
    words_of(name, words);
    for (; *signs; signs++)
        if (strstr(words, *signs))
            return true;
    return false;
}

bool name_is_of_time(struct text_piece name)
{
    static const char *const signs[] = {" t ",
                                        "time",
                                        "zeit",
                                        "temps",
                                        "tiempo",
                                        "tempo",
                                        "elapsed",
                                        " tijd ",
                                        " tid ",
                                        "czas",
                                        "\xd0\xb2\xd1\x80\xd0\xb5\xd0\xbc\xd1\x8f" /* Russian, in small letters */,
                                        "\xd0\x92\xd1\x80\xd0\xb5\xd0\xbc\xd1\x8f",
                                        NULL};
    return has_sign(name, signs);
}

bool name_is_time_alone(struct text_piece name)
{
    static const char *const words_alone[] = {" t ", " time ", " zeit ", " temps ", " tiempo ", " tempo "};
    char words[WORDS_BYTES];
    words_of(name, words);
    for (size_t i = 0; i < sizeof words_alone / sizeof words_alone[0]; i++)
        if (strcmp(words, words_alone[i]) == 0)
            return true;
    return false;
}

bool name_counts_rows(struct text_piece name)
{
    static const char counting[] =
        " index idx sample samples scan scans row rows point points record number no nr n count counter ";
    char words[WORDS_BYTES], sought[WORDS_BYTES];
    words_of(name, words);
    const char *word = words + 1;
    for (size_t length; (length = strcspn(word, " ")) > 0; word += length + 1) {
        memcpy(sought, word - 1, length + 2);
        sought[length + 2] = '\0';
        if (!strstr(counting, sought))
            return false;
    }
    return word > words + 1;
}

bool name_is_index_of_pandas(struct text_piece name)
{
    char words[WORDS_BYTES];
    words_of(name, words);
    return strcmp(words, " unnamed ") == 0;
}

bool name_is_of_acceleration(struct text_piece name)
{
    static const char *const signs[] = {" acc", " beschl", " a ", " ax ", " ay ", " az ", NULL};
    return has_sign(name, signs);
}

bool name_says_acceleration(struct text_piece name)
{
    static const char *const signs[] = {" acc ",         " accx ", " accy ",  " accz ", " accel",
                                        " acc\xc3\xa9l", " acel",  " beschl", NULL};
    return has_sign(name, signs);
}

bool name_says_velocity(struct text_piece name)
{
    static const char *const signs[] = {" vel ", " velx ", " vely ", " velz ", " veloc", " geschw", " vitesse ", NULL};
    return has_sign(name, signs);
}

bool name_is_of_load(struct text_piece name)
{
    static const char *const signs[] = {"load", "force", "mass", "weight", "gewicht", "kraft", " last ", NULL};
    return has_sign(name, signs);
}

bool name_is_of_normal_force(struct text_piece name)
{
    static const char *const signs[] = {"normal", NULL};
    return has_sign(name, signs);
}
