#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""usage, in a configured build directory: pieces.py [LIBRARY...]

From now on make compiles each library here in a few pieces, each of which includes several of its files: a compiler takes
longer to start and to read headers than to compile what such a file says. For trees that are compiled again in each
check; what every user compiles stays as it is. Writes GNUmakefile, which make reads before Makefile, and the pieces below
pieces/. Configured with --disable-dependency-tracking, make starts the compiler alone for each object: what an object is
made of is told by the compiler itself, in a file beside it. The libraries named are compiled without optimizing.
"""

import functools
import re
import subprocess
import sys
from pathlib import Path

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

# What stands outside of functions: without comments, texts, bodies, and lines of the preprocessor.
IGNORED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.DOTALL | re.MULTILINE)
TOKEN = re.compile(r"[A-Za-z_]\w*|[{}()\[\]=;,]")
INCLUDE = re.compile(r'^#include "([^"]*)"', re.MULTILINE)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)


def declared(text):
    """The names that a file declares outside of functions, and those among them that no other file sees."""
    names, own = set(), set()
    depth, statement, in_enum = 0, [], False
    tokens = TOKEN.findall(IGNORED.sub(" ", text))
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
        yield from [place / name for place in (TOP, TOP / "daemon") if (place / name).is_file()][:1]


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
        for group in groups:
            if len(group["files"]) < FILES and not seen & group["own"] and not own & group["seen"]:
                break
        else:
            group = {"files": [], "seen": set(), "own": set()}
            groups.append(group)
        group["files"].append(file)
        group["seen"] |= seen
        group["own"] |= own
    return alone + [group["files"] for group in groups]


def text_of(piece):
    """A file that includes these, each of which has its macros for itself."""
    lines = []
    for file in piece:
        lines.append(f'#include "{file.resolve()}"')
        lines += [f"#undef {macro}" for macro in MACRO.findall(file.read_text(encoding="utf-8"))]
    return "\n".join(lines) + "\n"


def write(path, text):
    """Only when it changes: what has been compiled stays."""
    path.parent.mkdir(exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def sources():
    """The libraries that make knows here, and the C files of each."""
    asked = ("include Makefile\nlibraries:; @:$(foreach each,$(noinst_LIBRARIES),"
             "$(info library $(each:.a=) $(wildcard $(addprefix $(srcdir)/,$(filter %.c,$($(each:.a=_a_SOURCES)))))))\n")
    told = subprocess.run(["make", "--silent", "-f", "-", "libraries"], input=asked, capture_output=True, check=True, text=True)
    # Before, make may have written Makefile anew, and said so.
    for line in told.stdout.splitlines():
        if line.startswith("library "):
            _, name, *files = line.split()
            yield name, [Path(file) for file in files]


def main():
    rules = ""
    wrapped = set(re.findall(r"--wrap=(\w+)", Path("Makefile").read_text(encoding="utf-8")))
    for name, files in sources():
        objects = []
        for number, piece in enumerate(pieces_of(files, wrapped)):
            write(Path(f"pieces/{name}_{number}.c"), text_of(piece))
            objects.append(f"pieces/{name}_{number}.o")
        rules += RULES.format(name=name, objects=" ".join(objects), more="-O0" * (name in sys.argv[1:]))
    # The last line last: the first rule that make reads is what it makes.
    tracking = "override CPPFLAGS += -MMD -MP\n-include $(shell find . -name '*.d')\n"
    write(Path("GNUmakefile"), f"# Written by tests/pieces.py.\n{rules}include Makefile\n{tracking}")


if __name__ == "__main__":
    main()
