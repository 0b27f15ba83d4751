/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a path to the finished configuration: text, parser, groups, complaints, in this order. */

#include "config/configuration.h"
#include "config/sections.h"
#include "config/written_rig.h"
#include "proto/plain_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RIGS = 64 };

/* What configuration_load() hands out, with what owns its memory. */
struct owned_configuration {
    struct configuration configuration; /* first member: the caller's pointer is ours */
    struct config_arena arena;
};

static const struct config_key top_keys[] = {
    {.name = "service", .type = CONFIG_GROUP},  {.name = "store", .type = CONFIG_GROUP},
    {.name = "recorder", .type = CONFIG_GROUP}, {.name = "segment", .type = CONFIG_GROUP},
    {.name = "physical", .type = CONFIG_GROUP}, {.name = "rigs", .type = CONFIG_LIST},
};

static const struct config_section top_section = {"top level", top_keys, sizeof top_keys / sizeof top_keys[0]};

/* Every kind of group that a file may hold, but those of the kinds of sources. */
static const struct config_section *const common_sections[] = {
    &top_section,     &service_section,  &store_section, &recorder_section,
    &segment_section, &physical_section, &rig_section,
};

enum {
    COMMON_SECTIONS = sizeof common_sections / sizeof common_sections[0],
    SECTION_COUNT = COMMON_SECTIONS + 2 * SOURCE_KIND_COUNT
};

/* All of them. A key of several groups is told to be one of the first. */
static void list_sections(const struct config_section *sections[SECTION_COUNT])
{
    size_t count = 0;
    for (; count < COMMON_SECTIONS; ++count)
        sections[count] = common_sections[count];
    for (int kind = SOURCE_KIND_COUNT; kind-- > 0;)
        sections[count++] = source_driver((enum source_kind)kind)->source_section;
    for (int kind = SOURCE_KIND_COUNT; kind-- > 0;)
        sections[count++] = source_driver((enum source_kind)kind)->channel_section;
}

static struct owned_configuration *create_with_defaults(void)
{
    struct owned_configuration *owned = calloc(1, sizeof *owned);
    if (!owned)
        return NULL;
    struct configuration *configuration = &owned->configuration;
    /* Results carry an id in any case; this one stands for "no file". */
    snprintf(configuration->id, sizeof configuration->id, "%016x", 0U);
    configuration->text = "";
    configuration->service = service_default_configuration();
    configuration->recorder = recorder_default_settings();
    configuration->segment = segment_default_settings();
    configuration->physical = physical_default_settings();
    return owned;
}

struct configuration *configuration_defaults(void)
{
    struct owned_configuration *owned = create_with_defaults();
    return owned ? &owned->configuration : NULL;
}

void configuration_destroy(struct configuration *configuration)
{
    if (!configuration)
        return;
    struct owned_configuration *owned = (struct owned_configuration *)configuration;
    config_arena_free(&owned->arena);
    free(owned);
}

static void complain_of_double_name(struct config_reader *reader, const config_setting_t *group,
                                    const struct rig_configuration *rigs, size_t index)
{
    for (size_t i = 0; i < index && rigs[index].name; ++i)
        if (rigs[i].name && strcmp(rigs[i].name, rigs[index].name) == 0) {
            config_complain(reader, config_setting_get_member(group, "name"),
                            "the rig name \"%s\" is taken: every rig needs its own", rigs[index].name);
            return;
        }
}

static void read_rigs(struct config_reader *reader, const config_setting_t *root, struct configuration *configuration)
{
    const config_setting_t *list = config_member(root, &top_section, "rigs");
    int count = list ? config_setting_length(list) : 0;
    if (count > MAX_RIGS)
        config_complain(reader, list, "%d rigs are too many: one daemon serves at most %d", count, MAX_RIGS);
    if (count == 0 || count > MAX_RIGS)
        return;
    struct rig_configuration *rigs = config_arena_array(reader->arena, (size_t)count, sizeof *rigs);
    if (!rigs)
        return;
    /* A rig with mistakes does not hide those of the next. */
    for (int i = 0; i < count; ++i) {
        const config_setting_t *group = config_setting_get_elem(list, (unsigned)i);
        rigs[i].segment_defaults = configuration->segment;
        rigs[i].physical = configuration->physical;
        if (config_setting_is_group(group)) {
            read_rig(reader, group, &rigs[i]);
            complain_of_double_name(reader, group, rigs, (size_t)i);
            rigs[i].written = written_rig(reader->arena, root, group);
        } else {
            config_complain(reader, group, "each element of `rigs` must be a group { … }");
        }
    }
    configuration->rigs = rigs;
    configuration->rig_count = (size_t)count;
}

/* Scans a second of a source that cannot wait; 0: it can, and its decays are taken beyond the limit. */
static double live_rate_hz(const struct rig_configuration *rig)
{
    return rig->source ? source_driver(rig->source_kind)->live_rate_hz(rig->source) : 0;
}

/* Of the longest decay that a channel may have, with its flags. */
static double longest_decay_bytes(const struct segment_settings *segment, double rate_hz)
{
    double samples = fmin((double)segment->max_samples, segment->max_duration_s * rate_hz);
    return samples * (sizeof(double) + sizeof(uint8_t));
}

/* A decay that does not fit into an empty queue would always be lost. */
static void check_queue(struct config_reader *reader, const config_setting_t *root,
                        const struct configuration *configuration)
{
    const config_setting_t *service = config_setting_get_member(root, "service");
    const config_setting_t *key = service ? config_setting_get_member(service, "queue_max_bytes") : NULL;
    double room = (double)configuration->service.queue_max_bytes;
    for (size_t r = 0; r < configuration->rig_count; r++) {
        const struct rig_configuration *rig = &configuration->rigs[r];
        for (size_t c = 0; c < rig->channel_count; c++) {
            double bytes = longest_decay_bytes(&rig->channels[c].segment, live_rate_hz(rig));
            if (bytes <= room || !rig->name || !rig->channels[c].name)
                continue;
            config_complain(reader, key ? key : root,
                            "`queue_max_bytes` is %.0f, and one decay of rig \"%s\", channel \"%s\" may take %.0f: "
                            "raise it, or lower `max_samples` or `max_duration_s`",
                            room, rig->name, rig->channels[c].name, bytes);
            return;
        }
    }
}

/* The order matters: rigs inherit what the groups before them say. */
static void read_configuration(struct config_reader *reader, const config_setting_t *root,
                               struct configuration *configuration)
{
    config_read_section(reader, root, &top_section, configuration);
    const config_setting_t *service = config_member(root, &top_section, "service");
    if (service)
        read_service(reader, service, &configuration->service);
    const config_setting_t *store = config_member(root, &top_section, "store");
    if (store)
        read_store(reader, store, &configuration->store);
    const config_setting_t *recorder = config_member(root, &top_section, "recorder");
    if (recorder)
        read_recorder(reader, recorder, &configuration->recorder);
    read_segment(reader, config_member(root, &top_section, "segment"), &configuration->segment);
    read_physical(reader, config_member(root, &top_section, "physical"), &configuration->physical);
    read_rigs(reader, root, configuration);
    if (!reader->arena->exhausted) /* else there are fewer channels than counted */
        check_queue(reader, root, configuration);
}

/* libconfig's words where they say enough, ours where they do not. */
static const char *syntax_sentence(const char *said)
{
    static const struct {
        const char *said, *meant;
    } sentences[] = {
        {"syntax error", "syntax error here, or a missing `;` or closing bracket before"},
        {"duplicate setting name", "this key stands twice in its group"},
        {"mismatched element type in array",
         "an array [ … ] holds whole numbers or decimal ones, not both: write [0.0, 2.0]"},
    };
    for (size_t i = 0; said && i < sizeof sentences / sizeof sentences[0]; ++i)
        if (strcmp(said, sentences[i].said) == 0)
            return sentences[i].meant;
    return said ? said : sentences[0].meant;
}

/* Nothing of libconfig's memory stays in use: strings were copied into the arena. */
static void parse(struct config_reader *reader, const char *text, struct configuration *configuration)
{
    config_t parsed;
    config_init(&parsed);
    if (config_read_string(&parsed, text))
        read_configuration(reader, config_root_setting(&parsed), configuration);
    else
        config_complain_at(reader, (unsigned)config_error_line(&parsed), "%s",
                           syntax_sentence(config_error_text(&parsed)));
    config_destroy(&parsed);
}

/* The folder that relative file names start from; "." for a bare file name. */
static const char *folder_of(const char *path, struct config_arena *arena)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return ".";
    return slash == path ? "" : config_arena_text(arena, path, (size_t)(slash - path));
}

/* Fills the configuration from its file; false when anything was complained of. The file is read once; what is
 * hashed, shown and parsed is the same text. */
static bool load(struct owned_configuration *owned, const char *path, FILE *complaints)
{
    struct configuration *configuration = &owned->configuration;
    struct config_arena *arena = &owned->arena;
    struct config_text text;
    struct complaint complaint;
    const struct config_section *sections[SECTION_COUNT];
    list_sections(sections);
    configuration->path = config_arena_text(arena, path, strlen(path));
    struct config_reader reader = {.sections = sections,
                                   .section_count = SECTION_COUNT,
                                   .arena = arena,
                                   .complaints = {.arena = arena},
                                   .folder = folder_of(path, arena)};
    if (!arena->exhausted && config_text_read(path, reader.folder, arena, &text, &complaint) != 0) {
        plain_print(complaints, "%s", complaint.text);
        return false;
    }
    if (!arena->exhausted) {
        configuration->text = text.shown;
        snprintf(configuration->id, sizeof configuration->id, "%016" PRIx64, text.hash);
        parse(&reader, text.expanded, configuration);
        config_complaints_write(&reader.complaints, &text, complaints);
    }
    /* Allocations are looked at once, here: whatever is missing, the configuration is not handed out. */
    if (arena->exhausted)
        plain_print(complaints, "%s: cannot be read: memory is short", path);
    return !arena->exhausted && reader.complaints.count == 0;
}

/* All or nothing: a configuration with a single mistake is not handed out. */
struct configuration *configuration_load(const char *path, FILE *complaints)
{
    struct owned_configuration *owned = create_with_defaults();
    if (!owned) {
        plain_print(complaints, "%s: cannot be read: memory is short", path);
        return NULL;
    }
    if (!load(owned, path, complaints)) {
        configuration_destroy(&owned->configuration);
        return NULL;
    }
    return &owned->configuration;
}

void configuration_each_key(void (*visit)(void *context, const char *section, const char *key), void *context)
{
    const struct config_section *sections[SECTION_COUNT];
    list_sections(sections);
    for (size_t s = 0; s < SECTION_COUNT; ++s)
        for (size_t k = 0; k < sections[s]->key_count; ++k)
            visit(context, sections[s]->name, sections[s]->keys[k].name);
}

/* The groups of which there is one, and where their struct is in the configuration. */
static const struct {
    const struct config_section *section;
    size_t offset;
} single_groups[] = {
    {&service_section, offsetof(struct configuration, service)},
    {&store_section, offsetof(struct configuration, store)},
    {&recorder_section, offsetof(struct configuration, recorder)},
};

void configuration_each_difference(const struct configuration *a, const struct configuration *b,
                                   void (*visit)(void *context, const char *section, const char *key), void *context)
{
    for (size_t g = 0; g < sizeof single_groups / sizeof single_groups[0]; ++g) {
        const struct config_section *section = single_groups[g].section;
        const char *first = (const char *)a + single_groups[g].offset,
                   *second = (const char *)b + single_groups[g].offset;
        for (size_t k = 0; k < section->key_count; ++k)
            if (!config_key_same(&section->keys[k], first, second))
                visit(context, section->name, section->keys[k].name);
    }
}
