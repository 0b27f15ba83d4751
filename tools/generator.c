/* SPDX-License-Identifier: GPL-3.0-or-later */

/* generator schema NAME, generator definitions FILE, generator manual FILE: writes to standard output what nobody
 * should have to write twice. In a manual's source the line `.\" @NAME@` stands for the members of a table,
 * `.\" @parameters METHOD@` for the parameters of a method. */

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

/* Of each kind of table that is handed in, what its results say. */
static void write_kinds(void)
{
    const struct record_kind *kind;
    for (size_t i = 0; (kind = record_kind_at(i)); i++)
        if (kind->section) {
            printf(".Ss Results of %s\n", kind->name);
            manual_of_kind(kind, stdout);
        }
}

/* Writes the list that a line asks for. False: it asks for one that does not exist. */
static bool write_list(const char *line)
{
    static const struct {
        const char *name;
        const struct section *section;
    } sections[] = {
        {"estimate", &estimate_table}, {"result", &result_table}, {"handed", &handed_table}, {"run", &run_table}};
    char name[64];
    if (sscanf(line, ".\\\" @parameters %63[a-z._]@", name) == 1)
        return manual_of_params(name, stdout);
    if (sscanf(line, ".\\\" @%63[a-z_]@", name) != 1)
        return false;
    if (strcmp(name, "kinds") == 0) {
        write_kinds();
        return true;
    }
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (strcmp(sections[i].name, name) == 0) {
            manual_of(sections[i].section, stdout);
            return true;
        }
    return false;
}

/* Copies a page, and puts lists where it asks for them. */
static int write_manual(const char *path)
{
    FILE *page = fopen(path, "r");
    char line[4096];
    int error = page ? 0 : -1;
    while (!error && fgets(line, sizeof line, page)) {
        if (strncmp(line, ".\\\" @", 5) != 0)
            fputs(line, stdout);
        else if (!write_list(line))
            error = -1;
    }
    if (page)
        fclose(page);
    return error;
}

static json_t *schema_named(const char *name)
{
    if (strcmp(name, "request") == 0)
        return schema_of_request();
    json_t *schema = schema_of(name);
    return schema ? schema : schema_of_params(name);
}

int main(int count, char **words)
{
    int error = -1;
    if (count == 3 && strcmp(words[1], "schema") == 0)
        error = print(schema_named(words[2]));
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
