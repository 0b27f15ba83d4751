#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""usage, in a configured build directory: pieces.py [--tests VARIABLE] [LIBRARY=OPTION...]

From now on make compiles each library here in a few pieces, each of which includes several of its files: a compiler takes
longer to start and to read headers than to compile what such a file says. For trees that are compiled again in each
check; what every user compiles stays as it is. Writes GNUmakefile, which make reads before Makefile, and the pieces below
pieces/. Configured with --disable-dependency-tracking, make starts the compiler alone for each object: what an object is
made of is told by the compiler itself, in a file beside it. The libraries named are compiled with one option more.

The unit tests that make's variable lists become one program, which runs the test that it is called by: to link each takes
longer than to run most of them. One for which a function is wrapped, or which has flags of its own, stays by itself.
"""

import argparse
import functools
import re
import subprocess
from pathlib import Path
from types import MappingProxyType

TOP = Path(__file__).resolve().parents[1]

# So many files at most: several pieces a processor.
FILES = 14

RULES = """
override {name}_a_OBJECTS := {objects}
{name}_compile = $(CC) $(DEFS) $(DEFAULT_INCLUDES) $(INCLUDES) $({name}_a_CPPFLAGS) $(CPPFLAGS) \\
\t$(or $({name}_a_CFLAGS),$(AM_CFLAGS)) $(CFLAGS) {more} -Wno-shadow -Wno-unknown-warning-option -Wno-format-truncation \\
\t-MT $@ -c
pieces/{name}_%.o: pieces/{name}_%.c
\t@echo "  CC      " $@; $({name}_compile) -o $@ $< || {{ \\
\t\techo "$@: what a macro declares there is declared twice; each file by itself"; rm -f $@.*; \\
\t\tfor file in $$(sed -n 's/^#include "\\(.*\\)"/\\1/p' $<); do \\
\t\t\t$({name}_compile) -o $@.$$(basename $$file .c).o "$$file" || exit 1; \\
\t\tdone; $(LD) -r -o $@ $@.*.o; }}
"""

# In place of the programs that became one, make is to make that one; their names are links to it.
EVERY_TEST = """
override every_test_a_CPPFLAGS = $(UNIT_CPPFLAGS)
override these_programs := $(filter-out {members},$(these_programs)) \\
\t$(if $(filter {members},$(these_programs)),tests/unit/every_test)
"""
EVERY_TEST_LINKED = """
every_test_libraries = $(TEST_HELPERS) $(DAEMON_LIBS)
tests/unit/every_test: $(every_test_a_OBJECTS) $(filter %.a,$(every_test_libraries))
\t@echo "  CCLD    " $@; $(LINK) $(every_test_a_OBJECTS) $(every_test_libraries) $(CHECK_LIBS) $(LIBS)
"""
CHOICE = """#include <string.h>
{declarations}
int main(int count, char **words)
{{
    const char *slash = count > 0 ? strrchr(words[0], '/') : NULL;
    const char *name = slash ? slash + 1 : "";
{choices}
    return 2;
}}
"""

# What stands outside of functions: without comments, texts, bodies, and lines of the preprocessor.
IGNORED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.DOTALL | re.MULTILINE)
TOKEN = re.compile(r"[A-Za-z_]\w*|[{}()\[\]=;,]")
INCLUDE = re.compile(r'^#include "([^"]*)"', re.MULTILINE)
# What Check's macros stand for.
TEST = re.compile(r"^START_TEST\((\w+)\)|^END_TEST$", re.MULTILINE)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)


def declared(text):
    """The names that a file declares outside of functions, and those among them that no other file sees."""
    names, own = set(), set()
    depth, statement, in_enum = 0, [], False
    tokens = TOKEN.findall(TEST.sub(lambda test: f"static void {test[1]}()" if test[1] else "", IGNORED.sub(" ", text)))
    for token, following in zip(tokens, tokens[1:] + [";"]):
        if token in "{([":
            in_enum = in_enum or token == "{" and depth == 0 and "enum" in statement[-2:]
            depth += 1
            statement += [token] * (depth == 1)
        elif token in "})]":
            depth -= 1
            in_enum = in_enum and depth > 0
            # Behind a function's body begins what comes next.
            if token == "}" and depth == 0 and following not in "=,;[":
                statement = []
        elif token in "=,;":
            statement = statement if depth or token != ";" else []
        elif in_enum:
            if following in "=,}":
                names.add(token)
                own.add(token)
        elif depth == 0:
            tag = bool(statement) and statement[-1] in ("enum", "struct", "union")
            if following in ("{" if tag else "(=[;,") and statement:
                # A struct may be called as a function is.
                name = "struct " * tag + token
                names.add(name)
                own |= {name} if tag or statement[0] == "static" else set()
            statement.append(token)
    return names, own


@functools.cache
def names_of(file):
    """declared() of a file, whose macros are names as well; and of a header what those that it includes declare."""
    text = file.read_text(encoding="utf-8")
    names, own = declared(text)
    if file.suffix == ".h":
        names = names.union(MACRO.findall(text), *(names_of(header)[0] for header in headers_of(file)))
    return names, own


def headers_of(file):
    """Our own headers that a file includes."""
    for name in INCLUDE.findall(file.read_text(encoding="utf-8")):
        yield from [place / name for place in (file.parent, TOP, TOP / "daemon") if (place / name).is_file()][:1]


@functools.cache
def places_of(file):
    """Each of the names that a file, or a header that it includes, has for itself, and the header that says so."""
    places = {}
    for header in headers_of(file):
        places |= places_of(header) | dict.fromkeys(names_of(header)[1], header.resolve())
    return places


def pieces_of(files, wrapped):
    """The files in groups, in each of which no name stands for two things. A file with a function that a test wraps is
    alone: the linker wraps no call within one object."""
    alone = [[file] for file in files if names_of(file)[0] & wrapped]
    groups = []
    for file in files:
        if [file] in alone:
            continue
        names, own = names_of(file)
        seen = names.union(*(names_of(header)[0] for header in headers_of(file)))
        places = places_of(file)
        for group in groups:
            agreed = all(group["places"].get(name, place) == place for name, place in places.items())
            if len(group["files"]) < FILES and agreed and not seen & group["own"] and not own & group["seen"]:
                break
        else:
            group = {"files": [], "seen": set(), "own": set(), "places": {}}
            groups.append(group)
        group["files"].append(file)
        group["seen"] |= seen
        group["own"] |= own
        group["places"] |= places
    return alone + [group["files"] for group in groups]


def text_of(piece, instead):
    """A file that includes these, or other files instead, each of which has its macros for itself."""
    lines = []
    for file in piece:
        lines.append(f'#include "{instead.get(file, file).resolve()}"')
        lines += [f"#undef {macro}" for macro in MACRO.findall(file.read_text(encoding="utf-8"))]
    return "\n".join(lines) + "\n"


def write(path, text):
    """Only when it changes: what has been compiled stays."""
    path.parent.mkdir(exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def told(listed, line):
    """What make says of each word of a list here: the words of a line, of which the first is asked for as it stands."""
    asked = f"include Makefile\ntold:; @:$(foreach each,{listed},$(info told {line}))\n"
    says = subprocess.run(["make", "--silent", "-f", "-", "told"], input=asked, capture_output=True, check=True, text=True)
    # Before, make may have written Makefile anew, and said so.
    return [words[1:] for words in map(str.split, says.stdout.splitlines()) if words[:1] == ["told"]]


def libraries():
    """The libraries that make knows here, and the C files of each."""
    for name, *files in told("$(noinst_LIBRARIES) $(filter lib%,$(EXTRA_LIBRARIES))",
                             "$(each:.a=) $(wildcard $(addprefix $(srcdir)/,$(filter %.c,$($(each:.a=_a_SOURCES)))))"):
        yield name, [Path(file) for file in files]


def unit_tests(variable):
    """The files of those that can be one program: the only function of the first that others see is main(void), and it
    has no flags but those that all have, nor the client's library, which calls some things as the daemon calls others."""
    named = "$(subst /,_,$(each))"
    flags = "".join(f"$(value {named}_{kind})" for kind in ("CPPFLAGS", "CFLAGS", "LDFLAGS"))
    flags += f"$(findstring CLIENT_LIBS,$(value {named}_LDADD))"
    for given, *files in told(f"$(filter tests/unit/%,$({variable}))",
                              f"$(subst $() ,,{flags}) $(addprefix $(srcdir)/,$(filter %.c,$({named}_SOURCES)))"):
        files = [Path(file) for file in files]
        names, own = names_of(files[0])
        starts = "\nint main(void)\n" in files[0].read_text(encoding="utf-8")
        if given == "$(UNIT_CPPFLAGS)" and starts and names - own == {"main"}:
            yield files


def write_pieces(name, pieces, more="", instead=MappingProxyType({})):
    """Returns what make has to know of them."""
    objects = []
    for number, piece in enumerate(pieces):
        write(Path(f"pieces/{name}_{number}.c"), text_of(piece, instead))
        objects.append(f"pieces/{name}_{number}.o")
    return RULES.format(name=name, objects=" ".join(objects), more=more)


def write_link(link, target):
    """A link of that name, in place of what a make without pieces may have left there."""
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.is_symlink():
        link.unlink(missing_ok=True)
        link.symlink_to(target)


def write_every_test(variable):
    """Returns what make has to know of it, before Makefile and behind it."""
    tests = list(unit_tests(variable))
    names = [files[0].stem for files in tests]
    choice = Path("pieces/every_test.c")
    write(choice, CHOICE.format(
        declarations="\n".join(f"int {name}_main(void);" for name in names),
        choices="\n".join(f'    if (strcmp(name, "{name}") == 0)\n        return {name}_main();' for name in names)))
    renamed = {}
    for name, (file, *_) in zip(names, tests):
        renamed[file] = Path(f"pieces/main_of_{name}.c")
        write(renamed[file], f'#define main {name}_main\nint main(void);\n#include "{file.resolve()}"\n#undef main\n')
        write_link(Path("tests/unit") / name, "every_test")
    further = {file for files in tests for file in files[1:]}
    pieces = pieces_of([*renamed, *sorted(further), choice], set())
    members = " ".join(f"tests/unit/{name}" for name in names)
    return EVERY_TEST.format(members=members) + write_pieces("every_test", pieces, instead=renamed), EVERY_TEST_LINKED


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tests", metavar="VARIABLE")
    parser.add_argument("more", metavar="LIBRARY=OPTION", nargs="*")
    options = parser.parse_args()
    rules, linked = write_every_test(options.tests) if options.tests else ("", "")
    more = dict(word.split("=", 1) for word in options.more)
    wrapped = set(re.findall(r"--wrap=(\w+)", Path("Makefile").read_text(encoding="utf-8")))
    for name, files in libraries():
        rules += write_pieces(name, pieces_of(files, wrapped), more.get(name, ""))
    # Behind the rules that are patterns alone: the first other rule that make reads is what it makes.
    tracking = "override CPPFLAGS += -MMD -MP\n-include $(shell find . -name '*.d')\n"
    write(Path("GNUmakefile"), f"# Written by tests/pieces.py.\n{rules}include Makefile\n{linked}{tracking}")


if __name__ == "__main__":
    main()
