/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "acquire/recording_source.h"
#include "acquire/simulated_rig.h"
#include "config/configuration.h"
#include "configuration_file.h"
#include "run_suite.h"

#include <locale.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static struct configuration *load_text(const char *text)
{
    struct configuration_file file = configuration_file_write("test.conf", text);
    struct configuration *configuration = configuration_file_load(&file);
    ck_assert_msg(configuration != NULL, "%s", file.complaints);
    ck_assert_str_eq(file.complaints, "");
    configuration_file_remove(&file);
    return configuration;
}

/* The only complaint about `text` names this line and says this. */
static void expect_complaint(const char *text, unsigned line, const char *said)
{
    struct configuration_file file = configuration_file_write("test.conf", text);
    ck_assert_ptr_null(configuration_file_load(&file));
    char place[300];
    snprintf(place, sizeof place, "%s:%u: ", file.path, line);
    ck_assert_msg(strncmp(file.complaints, place, strlen(place)) == 0, "%s", file.complaints);
    ck_assert_msg(strstr(file.complaints, said) != NULL, "%s", file.complaints);
    ck_assert_ptr_eq(strchr(file.complaints, '\n') + 1, strchr(file.complaints, '\0'));
    configuration_file_remove(&file);
}

static void expect_defaults(const struct configuration *configuration)
{
    ck_assert_uint_eq(configuration->rig_count, 0);
    ck_assert_str_eq(configuration->service.socket_path, "/run/fricid/fricid.sock");
    ck_assert_str_eq(configuration->service.group, "fricid");
    ck_assert_uint_eq(configuration->service.socket_mode, 0666);
    ck_assert_uint_eq(configuration->service.results_held, 1000);
    ck_assert_uint_eq(configuration->segment.min_half_cycles, 3);
    ck_assert(isnan(configuration->segment.start_below));
    ck_assert(isnan(configuration->physical.mass_kg));
    ck_assert_double_eq(configuration->physical.gravity_m_per_s2, 9.80665);
    ck_assert_uint_eq(strlen(configuration->id), 16);
}

START_TEST(nothing_configured_means_defaults)
{
    struct configuration *configuration = configuration_defaults();
    expect_defaults(configuration);
    ck_assert_ptr_null(configuration->path);
    configuration_destroy(configuration);
    configuration_destroy(NULL);
    static const char *const nothings[] = {
        "", "\n", "# nothing\r\n", "\xef\xbb\xbf", "rigs = ( );", "/* */ service: {};"};
    for (size_t i = 0; i < sizeof nothings / sizeof nothings[0]; ++i) {
        configuration = load_text(nothings[i]);
        expect_defaults(configuration);
        ck_assert_str_eq(configuration->text, nothings[i]);
        configuration_destroy(configuration);
    }
    configuration = configuration_load("/dev/null", stderr);
    expect_defaults(configuration);
    configuration_destroy(configuration);
}
END_TEST

START_TEST(numbers_are_read_as_written)
{
    struct configuration *configuration =
        load_text("segment: { start_below = 12; stop_below = .25; max_duration_s = 1E2; resolution = 1e-3; };\n"
                  "service: { queue_max_bytes = 8589934592; samples_held_bytes = 4294967296L; results_held = 7; "
                  "identify_max_bytes = 2000000000; };\n"
                  "rigs = ( { name = \"r2\"; source = { kind = \"simulated\"; seed = 9007199254740993; hold_s = 2; };\n"
                  "channels = ( { name = \"3\"; sensor = \"lvdt\"; calibration = (0, 2.5); } ); } );\n");
    ck_assert_double_eq(configuration->segment.start_below, 12);
    ck_assert_double_eq(configuration->segment.stop_below, 0.25);
    ck_assert_double_eq(configuration->segment.max_duration_s, 100);
    ck_assert_double_eq(configuration->segment.resolution, 0.001);
    ck_assert_uint_eq(configuration->service.queue_max_bytes, 8589934592U);
    ck_assert_uint_eq(configuration->service.samples_held_bytes, 4294967296U);
    ck_assert_uint_eq(configuration->service.results_held, 7);
    ck_assert_uint_eq(configuration->service.identify_max_bytes, 2000000000);
    const struct simulated_rig_settings *rig = configuration->rigs[0].source;
    ck_assert_uint_eq(rig->seed, 9007199254740993U); /* 2^53 + 1: no double on the way */
    ck_assert_double_eq(rig->hand.hold_s, 2);
    ck_assert_uint_eq(rig->channels[0].calibration.terms, 2);
    ck_assert_double_eq(rig->channels[0].calibration.coefficients[1], 2.5);
    configuration_destroy(configuration);
}
END_TEST

START_TEST(numbers_do_not_depend_on_the_locale)
{
    /* Whatever the environment asks for, and a decimal comma where the machine knows it. */
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "de_DE.UTF-8");
    struct configuration *configuration = load_text("segment: { start_below = 12.75; };");
    ck_assert_double_eq(configuration->segment.start_below, 12.75);
    configuration_destroy(configuration);
    expect_complaint("segment: { start_below = 12,75; };", 1, "syntax error");
    setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(inner_groups_inherit_from_outer_ones)
{
    struct configuration *configuration =
        load_text("segment: { start_below = 10; min_half_cycles = 4; };\n"
                  "physical: { mass_kg = 2; gravity_m_per_s2 = 9.81; };\n"
                  "rigs = ( { name = \"a\"; source = { kind = \"simulated\"; };\n"
                  "  channels = ( { name = \"x\"; sensor = \"lvdt\"; segment: { start_below = 0; }; },\n"
                  "               { name = \"y\"; sensor = \"encoder\"; } );\n"
                  "  segment: { min_half_cycles = 5; stop_below = 1.0; }; physical: { mass_kg = 3.5; }; },\n"
                  "  { name = \"b\"; source = { kind = \"simulated\"; };\n"
                  "  channels = ( { name = \"x\"; sensor = \"lvdt\"; } ); } );\n");
    const struct rig_configuration *a = &configuration->rigs[0], *b = &configuration->rigs[1];
    ck_assert_double_eq(a->segment_defaults.start_below, 10);
    ck_assert_uint_eq(a->segment_defaults.min_half_cycles, 5);
    ck_assert(isnan(a->channels[0].segment.start_below)); /* 0 lifts the inherited limit */
    ck_assert_double_eq(a->channels[0].segment.stop_below, 1);
    ck_assert_double_eq(a->channels[1].segment.start_below, 10);
    ck_assert_uint_eq(a->channels[1].segment.min_half_cycles, 5);
    ck_assert_double_eq(a->physical.mass_kg, 3.5);
    ck_assert_double_eq(a->physical.gravity_m_per_s2, 9.81);
    ck_assert_uint_eq(b->channels[0].segment.min_half_cycles, 4);
    ck_assert_double_eq(b->physical.mass_kg, 2);
    ck_assert_uint_eq(configuration->segment.min_half_cycles, 4);
    configuration_destroy(configuration);
}
END_TEST

START_TEST(break_away_friction_follows_kinetic_friction)
{
    struct configuration *configuration =
        load_text("rigs = ( { name = \"a\"; source = { kind = \"simulated\"; f_k_n = 4.13; };\n"
                  "  channels = ( { name = \"x\"; sensor = \"lvdt\"; } ); } );\n");
    const struct simulated_rig_settings *simulated = configuration->rigs[0].source;
    const struct simulated_mechanics *mechanics = &simulated->mechanics;
    struct simulated_mechanics standard = simulated_rig_default_settings().mechanics;
    ck_assert_double_eq(mechanics->f_k_n, 4.13);
    ck_assert_double_eq_tol(mechanics->f_s_n, 4.13 * standard.f_s_n / standard.f_k_n, 1e-12);
    configuration_destroy(configuration);
}
END_TEST

START_TEST(files_are_found_beside_the_configuration)
{
    struct configuration_file recording = configuration_file_write("decay.csv", "time_s,lvdt_mm\n0,1\n1,2\n");
    struct configuration_file file = configuration_file_write_beside(
        &recording, "test.conf",
        "service: { socket = \"run/s.sock\"; };\n"
        "rigs = ( { name = \"r\"; source = { kind = \"recording\"; file = \"decay.csv\"; real_time = true; }; } );\n");
    struct configuration *configuration = configuration_file_load(&file);
    ck_assert_msg(configuration != NULL, "%s", file.complaints);
    const struct rig_configuration *rig = &configuration->rigs[0];
    ck_assert_int_eq(rig->source_kind, SOURCE_RECORDING);
    const struct recording_source_settings *source = rig->source;
    ck_assert_str_eq(source->path, recording.path);
    ck_assert(source->real_time);
    ck_assert_uint_eq(rig->channel_count, 0);
    ck_assert_uint_eq(source->channel_count, 0);
    char socket[300];
    snprintf(socket, sizeof socket, "%s/run/s.sock", file.folder);
    ck_assert_str_eq(configuration->service.socket_path, socket);
    configuration_destroy(configuration);
    configuration_file_remove(&file);
    configuration_file_remove(&recording);
}
END_TEST

START_TEST(channels_of_a_recording_are_its_columns)
{
    struct configuration_file recording =
        configuration_file_write("decay.csv", "time_s,lvdt_V,encoder_mm\n0,1,1\n1,2,2\n");
    struct configuration_file file = configuration_file_write_beside(
        &recording, "test.conf",
        "rigs = ( { name = \"r\"; source = { kind = \"recording\"; file = \"decay.csv\"; };\n"
        "  channels = ( { name = \"encoder\"; }, { name = \"lvdt\"; unit = \"mm\"; calibration = [0.5, 2.0]; } ); } "
        ");\n");
    struct configuration *configuration = configuration_file_load(&file);
    ck_assert_msg(configuration != NULL, "%s", file.complaints);
    const struct recording_source_settings *source = configuration->rigs[0].source;
    ck_assert_uint_eq(source->channel_count, 2);
    ck_assert_ptr_null(source->channels[0].unit);
    ck_assert_double_eq(calibration_apply(&source->channels[0].calibration, 3), 3);
    ck_assert_str_eq(source->channels[1].unit, "mm");
    ck_assert_double_eq(calibration_apply(&source->channels[1].calibration, 3), 6.5);
    configuration_destroy(configuration);
    configuration_file_rewrite(&recording, "time_s,lvdt_V\n0,1\n1,2\n");
    ck_assert_ptr_null(configuration_file_load(&file));
    ck_assert_ptr_nonnull(
        strstr(file.complaints, "test.conf:2: the recording has no column for the channel \"encoder\""));
    configuration_file_remove(&file);
    configuration_file_remove(&recording);
}
END_TEST

/* The file itself says what is wrong with it. */
START_TEST(every_mistake_is_reported_with_its_line)
{
    const char *path = TEST_DATA "/config/every_mistake.conf";
    struct configuration_file file = configuration_file_of(path);
    ck_assert_ptr_null(configuration_file_load(&file));
    FILE *stream = fopen(path, "r");
    ck_assert_ptr_nonnull(stream);
    char text[300], place[400];
    char *said = file.complaints;
    size_t mistakes = 0;
    for (unsigned line = 1; fgets(text, sizeof text, stream); ++line) {
        char *expected = strstr(text, "# wrong: ");
        if (!expected)
            continue;
        ++mistakes;
        expected += strlen("# wrong: ");
        expected[strcspn(expected, "\n")] = '\0';
        snprintf(place, sizeof place, "%s:%u: ", path, line);
        char *end = strchr(said, '\n');
        ck_assert_msg(end != NULL, "no complaint about line %u", line);
        *end = '\0';
        ck_assert_msg(strncmp(said, place, strlen(place)) == 0 && strstr(said, expected), "line %u: %s", line, said);
        said = end + 1;
    }
    ck_assert_msg(*said == '\0', "one too many: %s", said);
    ck_assert_uint_gt(mistakes, 50);
    fclose(stream);
    configuration_file_remove(&file);
}
END_TEST

START_TEST(the_reference_is_a_channel_of_its_rig)
{
    struct configuration *configuration =
        load_text("rigs = ( { name = \"a\"; source = { kind = \"simulated\"; }; reference_channel = \"y\";\n"
                  "  channels = ( { name = \"x\"; sensor = \"lvdt\"; }, { name = \"y\"; sensor = \"encoder\"; } ); },\n"
                  "  { name = \"b\"; source = { kind = \"simulated\"; };\n"
                  "  channels = ( { name = \"x\"; sensor = \"lvdt\"; } ); } );\n");
    ck_assert_str_eq(configuration->rigs[0].reference_channel, "y");
    ck_assert_ptr_null(configuration->rigs[1].reference_channel);
    configuration_destroy(configuration);
    expect_complaint("rigs = ( { name = \"a\"; source = { kind = \"simulated\"; };\n"
                     "  reference_channel = \"z\";\n"
                     "  channels = ( { name = \"x\"; sensor = \"lvdt\"; } ); } );\n",
                     2, "the rig has no channel of that name");
}
END_TEST

#define DRIVEN(keys) "rigs = ( { name = \"a\"; source = { kind = \"simulated\"; " keys " };\n"
#define X "{ name = \"x\"; sensor = \"lvdt\"; role = \"displacement\"; }"
#define F "{ name = \"f\"; sensor = \"force\"; role = \"force\"; }"

START_TEST(roles_make_loops_once_each)
{
    struct configuration *configuration =
        load_text(DRIVEN("drive = \"sine\"; contact = \"dahl\";") "channels = ( " X ", " F " ); } );\n");
    ck_assert_int_eq(configuration->rigs[0].channels[0].role, ROLE_DISPLACEMENT);
    ck_assert_int_eq(configuration->rigs[0].channels[1].role, ROLE_FORCE);
    configuration_destroy(configuration);
    expect_complaint(DRIVEN("drive = \"sine\";") "channels = ( " X ", " F ",\n"
                                                 "{ name = \"g\"; sensor = \"force\"; role = \"force\"; } ); } );\n",
                     3, "the role \"force\" is taken by the channel \"f\"");
    expect_complaint(DRIVEN("drive = \"sine\";") "channels = ( " F " ); } );\n", 2,
                     "none has the role \"displacement\"");
    expect_complaint(DRIVEN("") "channels = ( { name = \"x\"; sensor = \"lvdt\"; role = \"thrust\"; } ); } );\n", 2,
                     "unknown role \"thrust\"");
    expect_complaint(DRIVEN("drive = \"sine\"; zeta = 0.1;") "channels = ( " X " ); } );\n", 1,
                     "`zeta` is of a mass that swings freely");
    expect_complaint(DRIVEN("contact = \"dahl\";") "channels = ( " X " ); } );\n", 1, "`drive` is missing");
}
END_TEST

START_TEST(syntax_errors_name_their_line)
{
    expect_complaint("segment:\n{\n  start_below = 1\n  stop_below 2;\n};\n", 4, "syntax error");
    expect_complaint("segment: { start_below = 1;\n start_below = 2; };\n", 2, "stands twice");
    expect_complaint("segment: { start_below = nan; };\n", 1, "syntax error");
    expect_complaint("rigs = (\n\n", 3, "syntax error");
    expect_complaint("rigs = ( { name = \"unfinished\n", 2, "syntax error");
    expect_complaint("service: { group = 3\n\"lab\"; };\n", 2, "syntax error");
    expect_complaint("rigs = ( 1 2,\n\"lab\"); \"lab\"", 1, "syntax error");
    expect_complaint("service: { results_held = 3,\n\"lab\" };\n", 2, "syntax error");
    expect_complaint("rigs = \n(((((((((((((((((((((((((((((((((1", 2, "syntax error");
    expect_complaint("a = [1,\n2.0];\n", 2, "whole numbers or decimal ones");
    expect_complaint("\n@include\n", 2, "@include \"FILE\"");
    expect_complaint("\n@include \"nowhere.conf\"\n", 2, "nowhere.conf cannot be read: No such file");
    expect_complaint("\n@include \".\"\n", 2, "is a folder");
    expect_complaint("# a\n/* \xff */\n", 2, "not UTF-8 text");
    expect_complaint("service: { group = \"\\xff\"; };", 1, "`group` is not UTF-8");
}
END_TEST

START_TEST(a_rig_is_searched_for_what_can_be_found)
{
    configuration_destroy(
        load_text("rigs = ( { name = \"a\"; kind = \"free_decay\"; source = { kind = \"simulated\"; };\n"
                  "channels = ( { name = \"c\"; sensor = \"lvdt\"; } ); } );\n"));
    expect_complaint("rigs = ( { name = \"a\"; kind = \"bounces\"; source = { kind = \"simulated\"; };\n"
                     "channels = ( { name = \"c\"; sensor = \"lvdt\"; } ); } );\n",
                     1, "they are handed in, with fricidctl identify. Use \"free_decay\"");
    expect_complaint("rigs = ( { name = \"a\";\nkind = \"decay\"; source = { kind = \"simulated\"; };\n"
                     "channels = ( { name = \"c\"; sensor = \"lvdt\"; } ); } );\n",
                     2, "unknown kind \"decay\" of records: use \"free_decay\"");
}
END_TEST

/* Where nobody can tell which was meant; every_mistake.conf has one that is only misspelt. */
START_TEST(what_waits_for_the_kind_of_its_source_is_told)
{
    expect_complaint("rigs = ( { name = \"a\"; source = { kind = \"card\"; zeta = \"0.1\"; };\n"
                     "channels = ( { sensor = \"forse\"; } ); } );\n",
                     1, "its other keys, and its channels, are checked when that is known");
}
END_TEST

START_TEST(what_is_no_configuration_file_is_refused)
{
    struct configuration_file file = configuration_file_of("/nowhere/fricid.conf");
    ck_assert_ptr_null(configuration_file_load(&file));
    ck_assert_str_eq(file.complaints, "/nowhere/fricid.conf: cannot be read: No such file or directory\n");
    configuration_file_remove(&file);
    file = configuration_file_of("/");
    ck_assert_ptr_null(configuration_file_load(&file));
    ck_assert_str_eq(file.complaints, "/: is a folder, not a configuration file\n");
    configuration_file_remove(&file);
    file = configuration_file_of("/dev/zero");
    ck_assert_ptr_null(configuration_file_load(&file));
    ck_assert_str_eq(file.complaints, "/dev/zero: is longer than 1048576 bytes: is it really a configuration file?\n");
    configuration_file_remove(&file);
    file = configuration_file_of("/proc/self/exe");
    ck_assert_ptr_null(configuration_file_load(&file));
    ck_assert_ptr_nonnull(strstr(file.complaints, "is it really a configuration file?\n"));
    configuration_file_remove(&file);
    file = configuration_file_write("pipe", NULL);
    ck_assert_int_eq(mkfifo(file.path, 0600), 0);
    ck_assert_ptr_null(configuration_file_load(&file)); /* and does not wait for a writer */
    ck_assert_ptr_nonnull(strstr(file.complaints, "is not a regular file"));
    configuration_file_remove(&file);
}
END_TEST

START_TEST(complaints_name_the_included_file)
{
    struct configuration_file inner =
        configuration_file_write("inner.conf", "# inner\nsegment: { min_half_cycles = 0; }; no_newline = 1;");
    struct configuration_file outer = configuration_file_write_beside(
        &inner, "outer.conf", "physical: { mass_kg = 0; };\n  @include \"inner.conf\" foo = 1;\nbar = 1;\n");
    ck_assert_ptr_null(configuration_file_load(&outer));
    const char *files[] = {outer.path, inner.path, inner.path, outer.path, outer.path};
    const unsigned lines[] = {1, 2, 2, 2, 3};
    const char *said = outer.complaints;
    for (size_t i = 0; i < 5; ++i) {
        char place[300];
        snprintf(place, sizeof place, "%s:%u: ", files[i], lines[i]);
        ck_assert_msg(strncmp(said, place, strlen(place)) == 0, "%s is not the place of %s", place, said);
        said = strchr(said, '\n') + 1;
    }
    ck_assert_str_eq(said, "");
    configuration_file_remove(&outer);
    configuration_file_remove(&inner);
}
END_TEST

START_TEST(files_that_include_each_other_are_refused)
{
    struct configuration_file file = configuration_file_write("loop.conf", "@include \"loop.conf\"\n");
    ck_assert_ptr_null(configuration_file_load(&file));
    ck_assert_ptr_nonnull(strstr(file.complaints, "loop.conf:1: too many files include each other"));
    configuration_file_remove(&file);
}
END_TEST

START_TEST(at_signs_and_digits_in_strings_and_comments_mean_nothing)
{
    struct configuration *configuration =
        load_text("# @include \"a\" 99999999999\n// 99999999999\n/*\n@include \"b\"\n99999999999 */\n"
                  "service: { group = \"g99999999999\"; };\n");
    ck_assert_str_eq(configuration->service.group, "g99999999999");
    configuration_destroy(configuration);
}
END_TEST

START_TEST(the_id_changes_with_any_byte)
{
    struct configuration *first = load_text("segment: { start_below = 1; };");
    struct configuration *same = load_text("segment: { start_below = 1; };");
    struct configuration *other = load_text("segment: { start_below = 1; }; ");
    ck_assert_str_eq(first->id, same->id);
    ck_assert_str_ne(first->id, other->id);
    ck_assert_uint_eq(strspn(first->id, "0123456789abcdef"), 16);
    configuration_destroy(first);
    configuration_destroy(same);
    configuration_destroy(other);

    struct configuration_file inner = configuration_file_write("inner.conf", "start_below = 1;\n");
    struct configuration_file outer =
        configuration_file_write_beside(&inner, "outer.conf", "segment: {\n@include \"inner.conf\"\n};\n");
    first = configuration_file_load(&outer);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_nonnull(strstr(first->text, "start_below = 1;"));
    configuration_file_rewrite(&inner, "start_below = 2;\n");
    other = configuration_file_load(&outer);
    ck_assert_ptr_nonnull(other);
    ck_assert_double_eq(other->segment.start_below, 2);
    ck_assert_str_ne(first->id, other->id);
    configuration_destroy(first);
    configuration_destroy(other);
    configuration_file_remove(&outer);
    configuration_file_remove(&inner);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("configuration");
    TCase *values = tcase_create("values");
    tcase_add_test(values, nothing_configured_means_defaults);
    tcase_add_test(values, numbers_are_read_as_written);
    tcase_add_test(values, numbers_do_not_depend_on_the_locale);
    tcase_add_test(values, inner_groups_inherit_from_outer_ones);
    tcase_add_test(values, break_away_friction_follows_kinetic_friction);
    tcase_add_test(values, files_are_found_beside_the_configuration);
    tcase_add_test(values, channels_of_a_recording_are_its_columns);
    tcase_add_test(values, the_id_changes_with_any_byte);
    suite_add_tcase(suite, values);
    TCase *mistakes = tcase_create("mistakes");
    tcase_add_test(mistakes, every_mistake_is_reported_with_its_line);
    tcase_add_test(mistakes, the_reference_is_a_channel_of_its_rig);
    tcase_add_test(mistakes, roles_make_loops_once_each);
    tcase_add_test(mistakes, syntax_errors_name_their_line);
    tcase_add_test(mistakes, what_is_no_configuration_file_is_refused);
    tcase_add_test(mistakes, a_rig_is_searched_for_what_can_be_found);
    tcase_add_test(mistakes, what_waits_for_the_kind_of_its_source_is_told);
    tcase_add_test(mistakes, complaints_name_the_included_file);
    tcase_add_test(mistakes, files_that_include_each_other_are_refused);
    tcase_add_test(mistakes, at_signs_and_digits_in_strings_and_comments_mean_nothing);
    suite_add_tcase(suite, mistakes);
    return run_suite(suite);
}
