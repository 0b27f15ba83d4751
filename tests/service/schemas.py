# SPDX-License-Identifier: GPL-3.0-or-later
"""The schemas of proto/schema, and how to hold messages against them."""

import json
import os
import sys
from pathlib import Path

try:
    import jsonschema
except ImportError:
    print("SKIP: python3-jsonschema is not installed")
    sys.exit(77)

SOURCE = Path(os.environ.get("TOP_SRCDIR", Path(__file__).resolve().parents[2]))
# What make writes lies where the program does, as in the source tree.
BUILT = Path(os.environ.get("FRICIDD", SOURCE / "build" / "fricidd")).parent

SCHEMAS = {path.name: json.loads(path.read_text(encoding="utf-8"))
           for place in (SOURCE, BUILT) for path in (place / "proto" / "schema").glob("*.json")}
VALIDATORS = {}


def validator(name):
    """The validator of a schema file; references between the files are resolved without network."""
    if name not in VALIDATORS:
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


def complaints(name, message):
    return [f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
            for error in validator(name).iter_errors(message)]


def schema_of(message, method=None):
    """The schemas that a message of the server must satisfy, each with the part that it describes. `method` is what an
    answer answers, where that is known."""
    if "method" in message:
        return [(message["method"] + ".json", message)]
    if "error" in message:
        return [("error.json", message)]
    return [("response.json", message)] + ([(method + ".result.json", message["result"])] if method else [])
