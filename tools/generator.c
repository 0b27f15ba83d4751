/* SPDX-License-Identifier: GPL-3.0-or-later */

/* generator schema NAME, generator definitions FILE, generator manual FILE: writes to standard output what nobody
 * should have to write twice. In a manual's source the line `.\" @NAME@` stands for the members of a table. */

#include "tools/generator.h"

#include "report/tables.h"

#include <stdlib.h>
#include <string.h>

static int print(json_t *schema)
{
    const bool written = schema && json_dumpf(schema, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII) == 0;
    json_decref(schema);
    return written && putchar('\n') != EOF ? 0 : -1;
}

static const struct section *section_named(const char *name)
{
    static const struct {
        const char *name;
        const struct section *section;
    } sections[] = {{"estimate", &estimate_table}, {"result", &result_table}, {"restitution", &restitution_table}};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (strcmp(sections[i].name, name) == 0)
            return sections[i].section;
    return NULL;
}

/* Copies a page, and puts lists where it asks for them. */
static int write_manual(const char *path)
{
    FILE *page = fopen(path, "r");
    char line[4096], name[64];
    int error = page ? 0 : -1;
    while (!error && fgets(line, sizeof line, page)) {
        const bool asked = sscanf(line, ".\\\" @%63[a-z_]@", name) == 1;
        const struct section *section = asked ? section_named(name) : NULL;
        if (section)
            manual_of(section, stdout);
        else
            fputs(line, stdout);
        error = asked && !section ? -1 : 0;
    }
    if (page)
        fclose(page);
    return error;
}

int main(int count, char **words)
{
    int error = -1;
    if (count == 3 && strcmp(words[1], "schema") == 0)
        error = print(schema_of(words[2]));
    else if (count == 3 && strcmp(words[1], "definitions") == 0)
        error = print(schema_definitions(json_load_file(words[2], 0, NULL)));
    else if (count == 3 && strcmp(words[1], "manual") == 0)
        error = write_manual(words[2]);
    if (fflush(stdout) != 0 || error) {
        fprintf(stderr, "generator: nothing can be made of these words\n");
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
