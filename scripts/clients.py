#!/usr/bin/env python3
"""Writes clients/ from docs/openapi.json: Python, JavaScript with types for TypeScript, and a Postman collection.

    scripts/clients.py            writes what differs
    scripts/clients.py --check    fails where a file is not what would be written

The clients are one file each and need nothing but what their language brings: whoever does not want a package copies the
file. That is why they come from here and not from a generator of hundreds of modules.
"""
import json
import keyword
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = json.loads((ROOT / "docs/openapi.json").read_text())
SCHEMAS = DOCUMENT["components"]["schemas"]
# Links and pages are opened, not called; streams are followed with a reader of events.
LEFT_OUT = {"downloadFilm", "downloadAsset", "downloadSlide", "presenterPicture", "avatarPortrait", "live", "ready", "metrics", "followProgress"}
ENVELOPES = ("Enveloped_", "Both_")


def name_of(reference):
    return reference.rsplit("/", 1)[-1]


def resolved(schema):
    while "$ref" in schema:
        schema = SCHEMAS[name_of(schema["$ref"])]
    return schema


def fields(schema):
    """Properties of an object and of all its parts, each with whether it is always there."""
    schema, found = resolved(schema), {}
    for part in schema.get("allOf", []):
        found.update(fields(part))
    for key, value in schema.get("properties", {}).items():
        found[key] = (value, key in schema.get("required", []))
    return found


def is_object(schema):
    schema = resolved(schema)
    return bool(schema.get("properties") or schema.get("allOf"))


def first_line(text):
    return " ".join((text or "").split("\n\n")[0].split())


class Operation:
    def __init__(self, path, method, described):
        self.path, self.method, self.id = path, method.upper(), described["operationId"]
        self.summary = described.get("summary", "")
        self.says = described.get("description", "")
        self.parameters = described.get("parameters", [])
        self.tag = described["tags"][0]
        content = described.get("requestBody", {}).get("content", {})
        self.body = content.get("application/json", {}).get("schema")
        self.form = content.get("multipart/form-data", {}).get("schema")
        answers = described["responses"]["200"].get("content", {})
        self.answer = answers.get("application/json", {}).get("schema")

    @property
    def in_path(self):
        return re.findall(r"{(\w+)}", self.path)

    @property
    def in_query(self):
        return [one for one in self.parameters if one["in"] == "query"]

    @property
    def takes_key(self):
        return any(one["name"] == "Idempotency-Key" for one in self.parameters)

    @property
    def takes_match(self):
        return any(one["name"] == "If-Match" for one in self.parameters)

    @property
    def result(self):
        """What is inside the envelope, or None for bytes."""
        if self.answer is None:
            return None
        # The document writes out what an envelope holds; the same is there under its own name.
        inner = re.sub(r"^(Enveloped|Both)_", "", name_of(self.answer["$ref"]))
        if inner.startswith("Vec_") and inner[4:] in SCHEMAS:
            return {"type": "array", "items": {"$ref": f"#/components/schemas/{inner[4:]}"}}
        if inner in SCHEMAS and inner != name_of(self.answer["$ref"]):
            return {"$ref": f"#/components/schemas/{inner}"}
        return fields(self.answer).get("data", (self.answer, True))[0]


OPERATIONS = [
    Operation(path, method, described)
    for path, methods in DOCUMENT["paths"].items()
    for method, described in methods.items()
    if described["operationId"] not in LEFT_OUT
]


def used():
    """Names of the schemas that the operations need, in the document's order."""
    wanted, todo = set(), []

    def visit(schema):
        if isinstance(schema, dict):
            if "$ref" in schema and name_of(schema["$ref"]) not in wanted:
                wanted.add(name_of(schema["$ref"]))
                todo.append(SCHEMAS[name_of(schema["$ref"])])
            for value in schema.values():
                visit(value)
        elif isinstance(schema, list):
            for value in schema:
                visit(value)

    for operation in OPERATIONS:
        for schema in (operation.body, operation.result):
            if schema:
                visit(schema)
    while todo:
        visit(todo.pop())
    return [name for name in SCHEMAS if name in wanted and not name.startswith(ENVELOPES)]


# Python ----------------------------------------------------------------------------------------------------------------


def snake(name):
    """As Python spells names; what is a word of the language gets a line after it."""
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    return f"{name}_" if keyword.iskeyword(name) else name


def python_type(schema):
    if "$ref" in schema:
        return name_of(schema["$ref"])
    if "enum" in schema:
        return "Literal[" + ", ".join(json.dumps(word) for word in schema["enum"]) + "]"
    for many in ("oneOf", "anyOf"):
        if many in schema:
            return "Union[" + ", ".join(python_type(one) for one in schema[many]) + "]"
    kind = schema.get("type")
    if isinstance(kind, list):
        rest = [python_type({**schema, "type": one}) for one in kind if one != "null"]
        inner = rest[0] if len(rest) == 1 else "Union[" + ", ".join(rest) + "]"
        return f"Optional[{inner}]" if "null" in kind else inner
    if kind == "array":
        return f"List[{python_type(schema.get('items', {}))}]"
    return {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}.get(kind, "Dict[str, Any]")


def python_schema(name):
    schema = SCHEMAS[name]
    about = first_line(schema.get("description"))
    if not is_object(schema):
        union = schema.get("oneOf")
        if union and any("allOf" in one for one in union):
            return python_union(name, union, about)
        comment = f"#: {about}\n" if about else ""
        return f"{comment}{name} = {python_type(schema)}\n"
    return python_object(name, fields(schema), about)


def python_union(name, union, about):
    """One class for each kind, told apart by a word."""
    made, names = "", []
    for one in union:
        word = fields(one)["type"][0]["enum"][0]
        own = f"{name}_{word}"
        made += python_object(own, fields(one), f"{about.rstrip('.')}: `{word}`.") + "\n\n"
        names.append(own)
    return made + f"#: {about}\n{name} = Union[{', '.join(names)}]\n"


def python_object(name, all_fields, about):
    always = {key: value for key, (value, needed) in all_fields.items() if needed}
    sometimes = {key: value for key, (value, needed) in all_fields.items() if not needed}

    def lines(of):
        made = ""
        for key, value in of.items():
            says = first_line(value.get("description"))
            made += f"    {key}: {python_type(value)}\n" + (f'    """{says}"""\n' if says else "")
        return made

    doc = f'    """{about}"""\n\n' if about else ""
    if not sometimes:
        return f"class {name}(TypedDict):\n{doc}{lines(always) or '    pass' + chr(10)}"
    if not always:
        return f"class {name}(TypedDict, total=False):\n{doc}{lines(sometimes)}"
    return f"class _{name}(TypedDict):\n{lines(always)}\n\nclass {name}(_{name}, total=False):\n{doc}{lines(sometimes)}"


def python_method(operation):
    takes = [f"{snake(name)}: str" for name in operation.in_path]
    if operation.form:
        takes.append("file: Union[str, Path, bytes]")
    elif operation.body:
        takes.append(f"body: {python_type(operation.body)}")
    rest = []
    if operation.form:
        for key, (value, _) in fields(operation.form).items():
            if key != "file":
                kind = python_type(value)
                rest.append((snake(key), kind if kind.startswith("Optional") else f"Optional[{kind}]"))
    for one in operation.in_query:
        kind = python_type(one["schema"])
        rest.append((snake(one["name"]), kind if kind.startswith("Optional") else f"Optional[{kind}]"))
    if operation.takes_key:
        rest.append(("idempotency_key", "Optional[str]"))
    if operation.takes_match:
        rest.append(("if_match", "Optional[str]"))
    signature = ", ".join(["self", *takes, *(["*"] if rest else []), *(f"{key}: {kind} = None" for key, kind in rest)])
    gives = "bytes" if operation.result is None else python_type(operation.result)
    path = re.sub(r"{(\w+)}", lambda m: "{_quoted(" + snake(m.group(1)) + ")}", operation.path)
    asks = [f'"{operation.method}"', ("f" if operation.in_path else "") + f'"{path}"']
    if operation.form:
        given = ", ".join(f'"{key}": {snake(key)}' for key in fields(operation.form) if key != "file")
        asks.append(f"form=({{{given}}}, file)")
    elif operation.body:
        asks.append("body=body")
    elif operation.method == "POST":
        asks.append("body={}")
    if operation.in_query:
        asks.append("query={" + ", ".join(f'"{one["name"]}": {snake(one["name"])}' for one in operation.in_query) + "}")
    if operation.takes_key:
        asks.append("idempotency_key=idempotency_key")
    if operation.takes_match:
        asks.append("if_match=if_match")
    call = "self._bytes" if operation.result is None else "self._ask"
    about = "\n\n        ".join(filter(None, [operation.summary, *textwrap(operation.says)]))
    return (
        f"    def {snake(operation.id)}({signature}) -> {gives}:\n"
        f'        """{about}"""\n' + (f"        return {call}({', '.join(asks)})\n" if gives == "bytes" else f"        return cast({gives!r}, {call}({', '.join(asks)}))\n")
    )


def textwrap(text):
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def python():
    # Classes may name what comes later; what is only another name for something may not.
    order = sorted(used(), key=lambda name: 1 if is_object(SCHEMAS[name]) else 2 if "oneOf" in SCHEMAS[name] else 0)
    schemas = "\n\n".join(python_schema(name) for name in order)
    methods = "\n".join(python_method(operation) for operation in OPERATIONS)
    text = (ROOT / "clients/python/head.txt").read_text()
    return text.replace("# SCHEMAS\n", schemas).replace("    # METHODS\n", methods)


# JavaScript ------------------------------------------------------------------------------------------------------------


def ts_type(schema, depth=0):
    if "$ref" in schema:
        return name_of(schema["$ref"])
    if "enum" in schema:
        return " | ".join(json.dumps(word) for word in schema["enum"])
    for many in ("oneOf", "anyOf"):
        if many in schema:
            return " | ".join(ts_type(one) for one in schema[many])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(ts_type({**schema, "type": one}) for one in kind)
    if kind == "array":
        inner = ts_type(schema.get("items", {}))
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    words = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
    return words.get(kind, "Record<string, unknown>")


def ts_schema(name):
    schema = SCHEMAS[name]
    about = first_line(schema.get("description"))
    doc = f"/** {about} */\n" if about else ""
    if is_object(schema):
        return f"{doc}export interface {name} {ts_fields(fields(schema))}\n"
    union = schema.get("oneOf")
    if union and any("allOf" in one for one in union):
        parts = "".join(f"\n  | {ts_fields(fields(one), '  ')}" for one in union)
        return f"{doc}export type {name} ={parts};\n"
    return f"{doc}export type {name} = {ts_type(schema)};\n"


def ts_fields(all_fields, indent=""):
    made = "{\n"
    for key, (value, needed) in all_fields.items():
        says = first_line(value.get("description"))
        made += f"{indent}  /** {says} */\n" if says else ""
        made += f"{indent}  {json.dumps(key) if not re.fullmatch(r'[A-Za-z_]+', key) else key}{'' if needed else '?'}: {ts_type(value)};\n"
    return made + indent + "}"


def ts_takes(operation):
    takes = [f"{js_name(name)}: string" for name in operation.in_path]
    options = []
    if operation.form:
        takes.append("file: Blob")
        options += [f"{key}?: {ts_type(value)}" for key, (value, _) in fields(operation.form).items() if key != "file"]
    elif operation.body:
        takes.append(f"body: {ts_type(operation.body)}")
    options += [f"{one['name']}?: {ts_type(one['schema'])}" for one in operation.in_query]
    if operation.takes_key:
        options.append("idempotencyKey?: string")
    if operation.takes_match:
        options.append("ifMatch?: string")
    if options:
        takes.append("options?: { " + "; ".join(options) + " }")
    return ", ".join(takes)


def ts():
    head = "// Made by scripts/clients.py from docs/openapi.json.\n\n"
    schemas = "\n".join(ts_schema(name) for name in used())
    methods = ""
    for operation in OPERATIONS:
        gives = "Uint8Array" if operation.result is None else ts_type(operation.result)
        about = "\n   *\n   * ".join(filter(None, [operation.summary, *textwrap(operation.says)]))
        methods += f"  /**\n   * {about}\n   */\n  {operation.id}({ts_takes(operation)}): Promise<{gives}>;\n"
    text = (ROOT / "clients/javascript/types.txt").read_text()
    return head + schemas + "\n" + text.replace("  // METHODS\n", methods)


# Words of the language that paths have names of.
RESERVED = {"export", "import", "default", "delete", "new", "class", "function", "package"}


def js_name(name):
    return name + "Id" if name in RESERVED else name


def js():
    methods = ""
    for operation in OPERATIONS:
        takes = [js_name(name) for name in operation.in_path]
        takes += ["file"] if operation.form else ["body"] if operation.body else []
        has_options = operation.form or operation.in_query or operation.takes_key or operation.takes_match
        takes += ["options = {}"] if has_options else []
        path = re.sub(r"{(\w+)}", lambda m: "${encodeURIComponent(" + js_name(m.group(1)) + ")}", operation.path)
        quoted = f"`{path}`" if operation.in_path else f'"{path}"'
        asks = []
        if operation.form:
            keys = ", ".join(json.dumps(key) for key in fields(operation.form) if key != "file")
            asks.append(f"form: [[{keys}], options, file]")
        elif operation.body:
            asks.append("body")
        elif operation.method == "POST":
            asks.append("body: {}")
        if operation.in_query:
            asks.append("query: [[" + ", ".join(json.dumps(one["name"]) for one in operation.in_query) + "], options]")
        if operation.takes_key:
            asks.append("key: options.idempotencyKey")
        if operation.takes_match:
            asks.append("match: options.ifMatch")
        if operation.result is None:
            asks.append("bytes: true")
        more = f", {{ {', '.join(asks)} }}" if asks else ""
        methods += f'  {operation.id}({", ".join(takes)}) {{\n    return this.#ask("{operation.method}", {quoted}{more});\n  }}\n\n'
    return (ROOT / "clients/javascript/head.txt").read_text().replace("  // METHODS\n", methods.rstrip("\n") + "\n")


# Postman ---------------------------------------------------------------------------------------------------------------


def postman():
    folders = {}
    for operation in OPERATIONS:
        path = re.sub(r"{(\w+)}", r":\1", operation.path)
        query = [{"key": one["name"], "value": "", "disabled": True} for one in operation.in_query]
        request = {
            "method": operation.method,
            "description": "\n\n".join(filter(None, [operation.summary, operation.says])),
            "header": [],
            "url": {
                "raw": "{{base}}" + path,
                "host": ["{{base}}"],
                "path": path.strip("/").split("/"),
                "query": query,
                "variable": [{"key": name, "value": ""} for name in operation.in_path],
            },
        }
        if operation.form:
            keys = fields(operation.form)
            request["body"] = {"mode": "formdata", "formdata": [
                {"key": key, "type": "file" if key == "file" else "text", "disabled": key != "file"} for key in keys
            ]}
        elif operation.body:
            schema = resolved(operation.body)
            example = schema.get("example", (schema.get("examples") or [{}])[0])
            request["body"] = {"mode": "raw", "raw": json.dumps(example, indent=2), "options": {"raw": {"language": "json"}}}
        item = {"name": operation.summary or operation.id, "request": request}
        if operation.id == "issueToken":
            request["auth"] = {"type": "noauth"}
            request["body"]["raw"] = json.dumps({"appId": "{{appId}}", "userKey": "{{userKey}}"}, indent=2)
            keep = "pm.collectionVariables.set('token', pm.response.json().data.token);"
            item["event"] = [{"listen": "test", "script": {"exec": [keep], "type": "text/javascript"}}]
        folders.setdefault(operation.tag, []).append(item)
    says = {tag["name"]: tag.get("description", "") for tag in DOCUMENT["tags"]}
    collection = {
        "info": {
            "name": "Compere",
            "description": DOCUMENT["info"]["description"],
            "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
        },
        "auth": {"type": "apikey", "apikey": [
            {"key": "key", "value": "Authorization"}, {"key": "value", "value": "{{token}}"}, {"key": "in", "value": "header"},
        ]},
        "variable": [
            {"key": "base", "value": "http://127.0.0.1:7300"}, {"key": "appId", "value": ""},
            {"key": "userKey", "value": ""}, {"key": "token", "value": ""},
        ],
        "item": [{"name": tag, "description": says.get(tag, ""), "item": items} for tag, items in folders.items()],
    }
    return json.dumps(collection, indent=1, ensure_ascii=False) + "\n"


def main():
    stale = []
    for path, make in {
        "clients/python/compere.py": python,
        "clients/javascript/compere.mjs": js,
        "clients/javascript/compere.d.mts": ts,
        "clients/postman.json": postman,
    }.items():
        file, text = ROOT / path, make()
        if file.exists() and file.read_text() == text:
            continue
        stale.append(path)
        if "--check" not in sys.argv:
            file.write_text(text)
            print("wrote", path)
    if stale and "--check" in sys.argv:
        sys.exit(f"{', '.join(stale)}: not what docs/openapi.json says; run scripts/clients.py")


main()
