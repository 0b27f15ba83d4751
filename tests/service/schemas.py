# SPDX-License-Identifier: GPL-3.0-or-later
"""The schemas of proto/schema, and how to hold messages against them."""

import contextlib
import hashlib
import importlib.util
import json
import marshal
import os
import re
import sys
import tempfile
from pathlib import Path

if not importlib.util.find_spec("jsonschema"):
    print("SKIP: python3-jsonschema is not installed")
    sys.exit(77)

try:
    import fastjsonschema
except ImportError:
    fastjsonschema = None

SOURCE = Path(os.environ.get("TOP_SRCDIR", Path(__file__).resolve().parents[2]))
# What make writes lies where the program does, as in the source tree.
BUILT = Path(os.environ.get("FRICIDD", SOURCE / "build" / "fricidd")).parent

SCHEMAS = {path.name: json.loads(path.read_text(encoding="utf-8"))
           for place in (SOURCE, BUILT) for path in (place / "proto" / "schema").glob("*.json")}
# How they are compiled is part of what is kept.
CODE_OF_THIS = Path(__file__).read_bytes()
VALIDATORS = {}
COMPILED = {}


def validator(name):
    """The validator of a schema file; references between the files are resolved without network."""
    if name not in VALIDATORS:
        # To import it takes longer than many a test, which needs it only where fastjsonschema has found a fault.
        import jsonschema
        schema = SCHEMAS[name]
        jsonschema.Draft202012Validator.check_schema(schema)
        try:
            # jsonschema 4.18 and later
            from referencing import Registry, Resource
            registry = Registry().with_resources(
                (other["$id"], Resource.from_contents(other)) for other in SCHEMAS.values())
            VALIDATORS[name] = jsonschema.Draft202012Validator(schema, registry=registry)
        except ImportError:
            store = {other["$id"]: other for other in SCHEMAS.values()}
            resolver = jsonschema.RefResolver(schema["$id"], schema, store=store)
            VALIDATORS[name] = jsonschema.Draft202012Validator(schema, resolver=resolver)
    return VALIDATORS[name]


def of_draft_7(schema):
    """The same schema in the draft that is compiled: one word of ours has another name there."""
    if isinstance(schema, list):
        return [of_draft_7(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {"dependencies" if name == "dependentRequired" else name: of_draft_7(part)
            for name, part in schema.items() if name != "$schema"}


DRAFT_7 = {schema["$id"]: of_draft_7(schema) for schema in SCHEMAS.values()}


def code_of(name):
    """The module that fastjsonschema writes for a schema, compiled. Its refusals have no texts: to put one together, and
    the name of each part, takes longer than all else, and a branch of anyOf that does not fit is a refusal as well."""
    text = fastjsonschema.compile_to_code(of_draft_7(SCHEMAS[name]), handlers={"https": DRAFT_7.__getitem__})
    text = re.sub(r"^(.*?raise JsonSchemaValueException)\(.*\)$", r'\1("")', text, flags=re.MULTILINE)
    if re.search(r'raise JsonSchemaValueException(?!\(""\)$)', text, re.MULTILINE):
        raise AssertionError("this version of fastjsonschema writes its refusals in another way")
    return compile(text.replace(".format(**locals())", ""), name, "exec")


def kept_code(name):
    """The same out of the directory SCHEMA_CACHE, where the first test of a build has left it: to compile the schema of
    a result takes longer than most tests."""
    made_of = json.dumps([sys.version, fastjsonschema.VERSION, DRAFT_7], sort_keys=True).encode() + CODE_OF_THIS
    path = Path(os.environ["SCHEMA_CACHE"]) / f"{name}.{hashlib.sha256(made_of).hexdigest()}"
    with contextlib.suppress(OSError):
        return marshal.loads(path.read_bytes())
    code = code_of(name)
    with contextlib.suppress(OSError):  # where this user may not write, each test compiles its own
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(marshal.dumps(code))
        os.chmod(file.name, 0o644)
        os.replace(file.name, path)
    return code


def compiled(name):
    """The schema as a function that raises at the first fault: some fifty times quicker than its validator."""
    if name not in COMPILED:
        module = {}
        exec(kept_code(name) if os.environ.get("SCHEMA_CACHE") else code_of(name), module)
        # The schema's own function comes first, those of what it refers to after it.
        COMPILED[name] = next(function for key, function in module.items() if key.startswith("validate"))
    return COMPILED[name]


def compile_all():
    """Leaves every schema compiled in SCHEMA_CACHE."""
    for name in SCHEMAS:
        compiled(name)


def fits(name, message):
    """Whether a message satisfies its schema."""
    if not fastjsonschema:
        return validator(name).is_valid(message)
    try:
        compiled(name)(message)
    except fastjsonschema.JsonSchemaValueException:
        return False
    return True


def complaints(name, message):
    """What is wrong with a message, in words that only the slow validator has."""
    return [] if fits(name, message) else [
        f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
        for error in validator(name).iter_errors(message)] or [f"{name}: refused by fastjsonschema alone"]


def schema_of(message, method=None):
    """The schemas that a message of the server must satisfy, each with the part that it describes. `method` is what an
    answer answers, where that is known."""
    if "method" in message:
        return [(message["method"] + ".json", message)]
    if "error" in message:
        return [("error.json", message)]
    return [("response.json", message)] + ([(method + ".result.json", message["result"])] if method else [])


if __name__ == "__main__":
    compile_all()
