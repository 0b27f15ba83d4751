/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading when memory is short, and loading of damaged files. */
#include "config/configuration.h"
#include "configuration_file.h"
#include "run_suite.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* The linker sends every calloc() of the daemon's library here. */
void *__wrap_calloc(size_t count, size_t size);
void *__real_calloc(size_t count, size_t size);

/* How many more allocations succeed; negative: all. */
static long allocations_left = -1;

void *__wrap_calloc(size_t count, size_t size)
{
    if (allocations_left == 0)
        return NULL;
    if (allocations_left > 0)
        --allocations_left;
    return __real_calloc(count, size);
}

static const char rigs[] = "segment: { start_below = 5; };\n"
                           "rigs = ( { name = \"a\"; source = { kind = \"simulated\"; };\n"
                           "  channels = ( { name = \"x\"; sensor = \"lvdt\"; calibration = [0.0, 2.0]; },\n"
                           "               { name = \"y\"; sensor = \"encoder\"; } ); } );\n";

START_TEST(every_failed_allocation_is_reported)
{
    struct configuration_file inner = configuration_file_write("inner.conf", rigs);
    struct configuration_file file = configuration_file_write_beside(
        &inner, "outer.conf", "service: { group = \"lab\"; };\n@include \"inner.conf\"\n");
    struct configuration *configuration = NULL;
    long succeeding = 0;
    for (; !configuration; ++succeeding) {
        ck_assert_int_lt(succeeding, 1000);
        allocations_left = succeeding;
        configuration = configuration_file_load(&file);
        allocations_left = -1;
        if (!configuration)
            ck_assert_msg(strstr(file.complaints, "memory is short") != NULL, "%ld: %s", succeeding, file.complaints);
    }
    ck_assert_int_gt(succeeding, 10);
    ck_assert_str_eq(file.complaints, "");
    configuration_destroy(configuration);
    allocations_left = 0;
    ck_assert_ptr_null(configuration_defaults());
    allocations_left = -1;
    configuration_file_remove(&file);
    configuration_file_remove(&inner);
}
END_TEST

/* A file with mistakes still ends in words, not in a crash, when there is no memory to note them. */
START_TEST(complaints_without_memory_do_no_harm)
{
    struct configuration_file file = configuration_file_of(TEST_DATA "/config/every_mistake.conf");
    for (long succeeding = 0; succeeding < 200; ++succeeding) {
        allocations_left = succeeding;
        struct configuration *configuration = configuration_file_load(&file);
        allocations_left = -1;
        ck_assert_ptr_null(configuration);
        ck_assert_str_ne(file.complaints, "");
    }
    configuration_file_remove(&file);
}
END_TEST

/* Knuth's MMIX generator; only the upper bits are used. */
static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((*state >> 33) % below);
}

/* Changes, doubles or deletes a few stretches of the text, whose buffer holds `capacity` bytes. */
static void damage(char *text, size_t capacity, uint64_t *state)
{
    static const char bytes[] = "(){}[];,=\"#@/*\\-+.0123456789eLx \n\001\xff";
    for (unsigned wounds = 1 + draw(state, 4); wounds > 0; --wounds) {
        size_t length = strlen(text);
        size_t at = draw(state, (unsigned)length);
        size_t stretch = 1 + draw(state, 20);
        stretch = stretch < length - at ? stretch : length - at;
        switch (draw(state, 3)) {
        case 0:
            text[at] = bytes[draw(state, sizeof bytes - 1)];
            break;
        case 1:
            memmove(text + at, text + at + stretch, length - at - stretch + 1);
            break;
        default:
            if (length + stretch < capacity)
                memmove(text + at + stretch, text + at, length - at + 1);
            break;
        }
    }
}

START_TEST(damaged_files_are_loaded_or_complained_of)
{
    uint64_t seed = (uint64_t)time(NULL), state = seed;
    printf("seed %" PRIu64 "\n", seed);
    struct configuration_file file = configuration_file_write("damaged.conf", rigs);
    size_t refused = 0;
    for (int i = 0; i < 1000; ++i) {
        char text[2 * sizeof rigs];
        strcpy(text, rigs);
        damage(text, sizeof text, &state);
        configuration_file_rewrite(&file, text);
        struct configuration *configuration = configuration_file_load(&file);
        ck_assert_msg((configuration == NULL) == (file.complaints[0] != '\0'), "%s", text);
        if (!configuration)
            ++refused;
        configuration_destroy(configuration);
    }
    ck_assert_uint_gt(refused, 500);
    configuration_file_remove(&file);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("configuration in trouble");
    TCase *trouble = tcase_create("trouble");
    tcase_add_test(trouble, every_failed_allocation_is_reported);
    tcase_add_test(trouble, complaints_without_memory_do_no_harm);
    tcase_add_test(trouble, damaged_files_are_loaded_or_complained_of);
    suite_add_tcase(suite, trouble);
    return run_suite(suite);
}
