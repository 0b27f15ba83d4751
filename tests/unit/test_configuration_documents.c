/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shipped configuration and the manual page are held against the keys that the reader knows. */
#include "acquire/comedi_source.h"
#include "acquire/simulated_rig.h"
#include "config/configuration.h"
#include "configuration_file.h"
#include "run_suite.h"

#include <libconfig.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define SHIPPED TEST_DATA "/../../etc/fricid.conf"
#define SIMULATED TEST_DATA "/../../etc/simulated.conf"
#define MANUAL TEST_DATA "/../../daemon/config/fricid.conf.5"

enum { MAX_KEYS = 200, MAX_TEXT = 100000 };

/* Keys as "section/key", in the order in which they were found. */
struct key_list {
    char keys[MAX_KEYS][64];
    size_t count;
};

static bool has_key(const struct key_list *list, const char *key)
{
    for (size_t i = 0; i < list->count; ++i)
        if (strcmp(list->keys[i], key) == 0)
            return true;
    return false;
}

static void add_key(void *context, const char *section, const char *key)
{
    struct key_list *list = context;
    char name[sizeof list->keys[0]];
    ck_assert_uint_lt((size_t)snprintf(name, sizeof name, "%s/%s", section, key), sizeof name);
    if (has_key(list, name))
        return;
    ck_assert_uint_lt(list->count, MAX_KEYS);
    strcpy(list->keys[list->count++], name);
}

static void expect_same(const struct key_list *document, const char *name)
{
    struct key_list known = {.count = 0};
    configuration_each_key(add_key, &known);
    ck_assert_uint_gt(known.count, 50);
    for (size_t i = 0; i < known.count; ++i)
        ck_assert_msg(has_key(document, known.keys[i]), "%s does not document %s", name, known.keys[i]);
    for (size_t i = 0; i < document->count; ++i)
        ck_assert_msg(has_key(&known, document->keys[i]), "%s documents %s, which is not known", name,
                      document->keys[i]);
}

static char *read_whole(const char *path)
{
    FILE *stream = fopen(path, "r");
    ck_assert_msg(stream != NULL, "%s", path);
    char *text = calloc(1, MAX_TEXT);
    ck_assert_ptr_nonnull(text);
    size_t length = fread(text, 1, MAX_TEXT - 1, stream);
    ck_assert_uint_lt(length, MAX_TEXT - 1);
    fclose(stream);
    return text;
}

/* What the file itself tells its reader to do: take away the first # of a line. */
static char *uncommented(const char *path)
{
    char *text = read_whole(path);
    char *to = text;
    for (const char *from = text; *from; ++from)
        if (*from != '#' || (from != text && from[-1] != '\n'))
            *to++ = *from;
    *to = '\0';
    return text;
}

/* The shipped file with everything switched on. As it moves to another folder, the example recording gets its full
 * path, as it does when it is installed. */
static struct configuration_file everything(void)
{
    static const char relative[] = "\"../tests/data/";
    char *text = uncommented(SHIPPED);
    char *name = strstr(text, relative);
    ck_assert_ptr_nonnull(name);
    struct configuration_file file = configuration_file_write("everything.conf", NULL);
    FILE *stream = fopen(file.path, "w");
    ck_assert_ptr_nonnull(stream);
    fprintf(stream, "%.*s\"%s/%s", (int)(name - text), text, TEST_DATA, name + strlen(relative));
    ck_assert_int_eq(fclose(stream), 0);
    free(text);
    return file;
}

START_TEST(the_shipped_configuration_starts_no_rig)
{
    struct configuration_file file = configuration_file_of(SHIPPED);
    struct configuration *configuration = configuration_file_load(&file);
    ck_assert_msg(configuration != NULL, "%s", file.complaints);
    ck_assert_uint_eq(configuration->rig_count, 0);
    configuration_destroy(configuration);
    configuration_file_remove(&file);
}
END_TEST

static void expect_default_service(const struct service_configuration *shown)
{
    struct configuration *built_in = configuration_defaults();
    const struct service_configuration *service = &built_in->service;
    ck_assert_str_eq(shown->socket_path, service->socket_path);
    ck_assert_str_eq(shown->group, service->group);
    ck_assert_uint_eq(shown->socket_mode, service->socket_mode);
    ck_assert_uint_eq(shown->queue_max_bytes, service->queue_max_bytes);
    ck_assert_uint_eq(shown->results_held, service->results_held);
    ck_assert_uint_eq(shown->samples_held_bytes, service->samples_held_bytes);
    ck_assert_uint_eq(shown->identify_max_bytes, service->identify_max_bytes);
    ck_assert_double_eq(shown->job_deadline_s, service->job_deadline_s);
    configuration_destroy(built_in);
}

static void expect_default_segment(const struct segment_settings *shown)
{
    struct segment_settings built_in = segment_default_settings();
    ck_assert_uint_eq(shown->min_half_cycles, built_in.min_half_cycles);
    ck_assert_double_eq(shown->pretrigger_cycles, built_in.pretrigger_cycles);
    ck_assert_double_eq(shown->max_duration_s, built_in.max_duration_s);
    ck_assert_uint_eq(shown->max_samples, built_in.max_samples);
}

static void expect_default_rig(const struct simulated_rig_settings *shown)
{
    struct simulated_rig_settings built_in = simulated_rig_default_settings();
    ck_assert_mem_eq(&shown->mechanics, &built_in.mechanics, sizeof built_in.mechanics);
    ck_assert_mem_eq(&shown->hand, &built_in.hand, sizeof built_in.hand);
    ck_assert_double_eq(shown->sample_rate_hz, built_in.sample_rate_hz);
    ck_assert_double_eq(shown->channel_delay_s, built_in.channel_delay_s);
    ck_assert_uint_eq(shown->seed, built_in.seed);
    ck_assert_int_eq(shown->real_time, built_in.real_time);
    ck_assert_double_eq(shown->duration_s, built_in.duration_s);
    ck_assert_uint_eq(shown->first_scan, built_in.first_scan);
    struct simulated_channel_settings lvdt = simulated_channel_default_settings(SIMULATED_LVDT);
    ck_assert_double_eq(shown->channels[0].noise_mm, lvdt.noise_mm);
    ck_assert_double_eq(shown->channels[0].step_mm, lvdt.step_mm);
    ck_assert_double_eq(shown->channels[0].range_mm, lvdt.range_mm);
    ck_assert_mem_eq(&shown->channels[0].calibration, &lvdt.calibration, sizeof lvdt.calibration);
    struct simulated_channel_settings encoder = simulated_channel_default_settings(SIMULATED_ENCODER);
    ck_assert_double_eq(shown->channels[1].noise_mm, encoder.noise_mm);
    ck_assert_double_eq(shown->channels[1].counts_per_mm, encoder.counts_per_mm);
    ck_assert_uint_eq(shown->channels[1].counter_bits, encoder.counter_bits);
}

static void expect_default_card(const struct comedi_settings *shown)
{
    struct comedi_settings built_in = comedi_default_settings();
    ck_assert_str_eq(shown->device, built_in.device);
    ck_assert_double_eq(shown->sample_rate_hz, built_in.sample_rate_hz);
    ck_assert_double_eq(shown->poll_rate_hz, built_in.poll_rate_hz);
    ck_assert_double_eq(shown->convert_us, built_in.convert_us);
    ck_assert_double_eq(shown->buffer_s, built_in.buffer_s);
    ck_assert_double_eq(shown->silent_s, built_in.silent_s);
    struct comedi_channel_settings encoder = comedi_channel_default_settings(COMEDI_ENCODER);
    ck_assert_uint_eq(shown->channel_count, 2);
    ck_assert_int_eq(shown->channels[0].input, COMEDI_VOLTAGE);
    ck_assert_int_eq(shown->channels[0].reference, COMEDI_DIFFERENTIAL);
    ck_assert_double_eq(shown->channels[0].range_v[0], -10);
    ck_assert_int_eq(shown->channels[1].input, encoder.input);
    ck_assert_uint_eq(shown->channels[1].multiply, encoder.multiply);
    ck_assert_uint_eq(shown->channels[1].initial_count, encoder.initial_count);
    ck_assert_int_eq(shown->channels[1].input_a, 8);
}

START_TEST(every_example_is_valid_and_shows_the_default)
{
    struct configuration_file file = everything();
    struct configuration *configuration = configuration_file_load(&file);
    ck_assert_msg(configuration != NULL, "%s", file.complaints);
    ck_assert_uint_eq(configuration->rig_count, 5);
    expect_default_service(&configuration->service);
    expect_default_segment(&configuration->segment);
    ck_assert_int_eq(configuration->rigs[1].source_kind, SOURCE_SIMULATED);
    expect_default_rig(configuration->rigs[1].source);
    ck_assert_int_eq(configuration->rigs[2].source_kind, SOURCE_SIMULATED);
    ck_assert_int_eq(configuration->rigs[3].source_kind, SOURCE_SIMULATED);
    ck_assert_int_eq(configuration->rigs[4].source_kind, SOURCE_COMEDI);
    expect_default_card(configuration->rigs[4].source);
    configuration_destroy(configuration);
    configuration_file_remove(&file);
}
END_TEST

START_TEST(the_simulated_configuration_is_a_rig_with_two_channels)
{
    struct configuration_file file = configuration_file_of(SIMULATED);
    struct configuration *configuration = configuration_file_load(&file);
    ck_assert_msg(configuration != NULL, "%s", file.complaints);
    ck_assert_uint_eq(configuration->rig_count, 1);
    const struct rig_configuration *rig = &configuration->rigs[0];
    ck_assert_int_eq(rig->source_kind, SOURCE_SIMULATED);
    const struct simulated_rig_settings *source = rig->source;
    ck_assert_uint_eq(rig->channel_count, 2);
    ck_assert_uint_eq(source->channel_count, 2);
    ck_assert_str_eq(rig->channels[0].name, source->channels[0].name);
    ck_assert_double_eq(rig->physical.mass_kg, source->mechanics.mass_kg);
    ck_assert_double_eq(rig->physical.stiffness_n_per_m, source->mechanics.stiffness_n_per_m);
    configuration_destroy(configuration);
    configuration_file_remove(&file);
}
END_TEST

/* --- the keys of the shipped file, through libconfig alone --- */

static void collect_group(const config_setting_t *group, const char *section, struct key_list *keys)
{
    for (int i = 0; group && i < config_setting_length(group); ++i)
        add_key(keys, section, config_setting_name(config_setting_get_elem(group, (unsigned)i)));
}

static void collect_rig(const config_setting_t *rig, struct key_list *keys)
{
    const config_setting_t *source = config_setting_get_member(rig, "source");
    const config_setting_t *channels = config_setting_get_member(rig, "channels");
    const char *kind;
    ck_assert(config_setting_lookup_string(source, "kind", &kind));
    char section[32];
    collect_group(rig, "rig", keys);
    snprintf(section, sizeof section, "%s source", kind);
    collect_group(source, section, keys);
    snprintf(section, sizeof section, "%s channel", kind);
    for (int i = 0; i < config_setting_length(channels); ++i)
        collect_group(config_setting_get_elem(channels, (unsigned)i), section, keys);
}

/* Keys that exclude others which are shown stand behind one # more, each on a line of its own. */
static void collect_alternatives(const char *text, const char *section, struct key_list *keys)
{
    char name[64];
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        int read = 0;
        if (sscanf(line, " # %63[a-z_] =%n", name, &read) == 1 && read > 0)
            add_key(keys, section, name);
    }
}

START_TEST(the_shipped_configuration_shows_every_key)
{
    config_t parsed;
    config_init(&parsed);
    char *text = uncommented(SHIPPED);
    ck_assert_msg(config_read_string(&parsed, text), "line %d: %s", config_error_line(&parsed),
                  config_error_text(&parsed));
    struct key_list keys = {.count = 0};
    collect_group(config_root_setting(&parsed), "top level", &keys);
    collect_group(config_lookup(&parsed, "service"), "service", &keys);
    collect_group(config_lookup(&parsed, "store"), "store", &keys);
    collect_group(config_lookup(&parsed, "recorder"), "recorder", &keys);
    collect_group(config_lookup(&parsed, "segment"), "segment", &keys);
    collect_group(config_lookup(&parsed, "physical"), "physical", &keys);
    const config_setting_t *rigs = config_lookup(&parsed, "rigs");
    for (int i = 0; i < config_setting_length(rigs); ++i)
        collect_rig(config_setting_get_elem(rigs, (unsigned)i), &keys);
    collect_alternatives(text, "simulated source", &keys);
    expect_same(&keys, "fricid.conf");
    config_destroy(&parsed);
    free(text);
}
END_TEST

/* --- the manual page: .SS names the section, .TP and .B a key --- */

/* The next line of a text, ended with a NUL; NULL at the end. */
static char *next_line(char **rest)
{
    char *line = *rest;
    if (!*line)
        return NULL;
    char *end = strchr(line, '\n');
    *rest = end ? end + 1 : strchr(line, '\0');
    if (end)
        *end = '\0';
    return line;
}

START_TEST(the_manual_page_documents_every_key)
{
    char *text = read_whole(MANUAL);
    char *rest = strstr(text, ".SH KEYS");
    ck_assert_ptr_nonnull(rest);
    char *end = strstr(rest, ".SH EXAMPLES");
    ck_assert_ptr_nonnull(end);
    *end = '\0';
    struct key_list keys = {.count = 0};
    const char *section = NULL;
    bool item = false;
    for (char *line = next_line(&rest); line; line = next_line(&rest)) {
        if (strncmp(line, ".SS ", 4) == 0)
            section = line + 4;
        if (item)
            add_key(&keys, section, line + strlen(".B "));
        item = strcmp(line, ".TP") == 0;
    }
    expect_same(&keys, "fricid.conf(5)");
    free(text);
}
END_TEST

/* The text of one key in the page, from its heading to the next; NULL when it is not there. */
static char *entry_of(const char *page, const char *section, const char *key)
{
    char heading[80];
    snprintf(heading, sizeof heading, "\n.SS %s\n", section);
    const char *start = strstr(page, heading);
    snprintf(heading, sizeof heading, "\n.TP\n.B %s\n", key);
    start = start ? strstr(start, heading) : NULL;
    if (!start)
        return NULL;
    const char *end = strstr(start + 1, "\n.TP\n");
    return end ? strndup(start, (size_t)(end - start)) : strdup(start);
}

static double number_of(const config_setting_t *setting)
{
    return config_setting_type(setting) == CONFIG_TYPE_FLOAT ? config_setting_get_float(setting)
                                                             : (double)config_setting_get_int64(setting);
}

/* Numbers after "Default:" or "Example: key =" in the page are those of the shipped file. */
static size_t compare_numbers(const char *page, const config_setting_t *group, const char *section)
{
    size_t compared = 0;
    for (int i = 0; i < config_setting_length(group); ++i) {
        const config_setting_t *setting = config_setting_get_elem(group, (unsigned)i);
        if (!config_setting_is_number(setting))
            continue;
        char *entry = entry_of(page, section, config_setting_name(setting));
        ck_assert_msg(entry != NULL, "%s/%s", section, config_setting_name(setting));
        const char *example = strstr(entry, "\nExample: ");
        const char *shown = example ? strstr(example, " = ") : strstr(entry, "\nDefault: ");
        ck_assert_msg(shown != NULL, "%s/%s", section, config_setting_name(setting));
        double number = strtod(shown + strlen(example ? " = " : "\nDefault: "), NULL);
        ck_assert_double_le(fabs(number - number_of(setting)), 1e-12 * fabs(number));
        ++compared;
        free(entry);
    }
    return compared;
}

START_TEST(the_manual_page_tells_the_defaults_of_the_shipped_file)
{
    char *page = read_whole(MANUAL);
    char *text = uncommented(SHIPPED);
    config_t parsed;
    config_init(&parsed);
    ck_assert(config_read_string(&parsed, text));
    size_t compared = compare_numbers(page, config_lookup(&parsed, "service"), "service");
    compared += compare_numbers(page, config_lookup(&parsed, "recorder"), "recorder");
    compared += compare_numbers(page, config_lookup(&parsed, "segment"), "segment");
    compared += compare_numbers(page, config_lookup(&parsed, "physical"), "physical");
    compared += compare_numbers(page, config_lookup(&parsed, "rigs.[1].source"), "simulated source");
    compared += compare_numbers(page, config_lookup(&parsed, "rigs.[1].channels.[0]"), "simulated channel");
    compared += compare_numbers(page, config_lookup(&parsed, "rigs.[1].channels.[1]"), "simulated channel");
    compared += compare_numbers(page, config_lookup(&parsed, "rigs.[2].source"), "simulated source");
    compared += compare_numbers(page, config_lookup(&parsed, "rigs.[2].channels.[1]"), "simulated channel");
    compared += compare_numbers(page, config_lookup(&parsed, "rigs.[3].channels.[0]"), "simulated channel");
    compared += compare_numbers(page, config_lookup(&parsed, "rigs.[4].source"), "comedi source");
    compared += compare_numbers(page, config_lookup(&parsed, "rigs.[4].channels.[0]"), "comedi channel");
    compared += compare_numbers(page, config_lookup(&parsed, "rigs.[4].channels.[1]"), "comedi channel");
    ck_assert_uint_gt(compared, 50);
    config_destroy(&parsed);
    free(text);
    free(page);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("configuration documents");
    TCase *documents = tcase_create("documents");
    tcase_add_test(documents, the_shipped_configuration_starts_no_rig);
    tcase_add_test(documents, every_example_is_valid_and_shows_the_default);
    tcase_add_test(documents, the_simulated_configuration_is_a_rig_with_two_channels);
    tcase_add_test(documents, the_shipped_configuration_shows_every_key);
    tcase_add_test(documents, the_manual_page_documents_every_key);
    tcase_add_test(documents, the_manual_page_tells_the_defaults_of_the_shipped_file);
    suite_add_tcase(suite, documents);
    return run_suite(suite);
}
