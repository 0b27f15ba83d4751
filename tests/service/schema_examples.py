# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages made from the schemas, with every member that they may have, and a text of the test's in every string."""

from schemas import SCHEMAS

TIME = "2026-11-21T14:00:03.204518Z"


def resolved(schema, folder):
    """What a reference stands for, and the file that it stands in."""
    while "$ref" in schema:
        name, _, path = schema["$ref"].partition("#")
        folder = name or folder
        schema = SCHEMAS[folder]
        for part in filter(None, path.split("/")):
            schema = schema[part]
    return schema, folder


def is_null(schema):
    return schema.get("type") == "null" or schema.get("const", 0) is None


class Example:
    """`text` stands in every string; with `words` those that the protocol chooses itself stay what they are."""

    def __init__(self, text, words=True):
        self.text = text
        self.words = words

    def word(self, value):
        return value if self.words or not isinstance(value, str) else self.text

    def made(self, schema, folder):
        schema, folder = resolved(schema, folder)
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                options = [option for option in schema[choice] if not is_null(resolved(option, folder)[0])]
                rest = {key: value for key, value in schema.items() if key != choice}
                if "properties" in rest:  # the choice only says more about what stands here
                    return self.made(rest, folder)
                return self.made(options[0], folder)
        if "const" in schema:
            return self.word(schema["const"])
        if "enum" in schema:
            return self.word(next(value for value in schema["enum"] if value is not None))
        kinds = schema.get("type", "object" if "properties" in schema else "string")
        kind = kinds if isinstance(kinds, str) else next(one for one in kinds if one != "null")
        return getattr(self, "made_" + kind)(schema, folder)

    def made_object(self, schema, folder):
        value = {key: self.made(one, folder) for key, one in schema.get("properties", {}).items()}
        others = schema.get("additionalProperties", True)
        if others is not False:
            value[self.text] = self.made(others, folder) if isinstance(others, dict) else self.text
        return value

    def made_array(self, schema, folder):
        first = [self.made(one, folder) for one in schema.get("prefixItems", [])]
        others = schema.get("items", {"type": "string"})
        if others is False:
            return first
        count = max(1, schema.get("minItems", 1))
        return first + [self.made(others, folder) for _ in range(count - len(first))]

    def made_string(self, schema, _):
        patterned = "pattern" in schema or "format" in schema
        return TIME if patterned and self.words else self.text

    @staticmethod
    def made_number(schema, _):
        return max(min(1.5, schema.get("maximum", 1.5)), schema.get("minimum", 1.5))

    @staticmethod
    def made_integer(schema, _):
        return max(min(1, schema.get("maximum", 1)), schema.get("minimum", 1))

    @staticmethod
    def made_boolean(*_):
        return True


def example(name, text, words=True):
    """An example of the schema of that name, such as "status.result"."""
    return Example(text, words).made(SCHEMAS[name + ".json"], name + ".json")
