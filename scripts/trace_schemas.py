"""The schemas of operators, for the scripts that hold traces against PyTorch's."""
import json

SCHEMAS = {}


def is_factory(op):
    schema = SCHEMAS.get(op, {}).get("schema", "")
    return "pin_memory" in schema


def returns_list(op):
    return SCHEMAS.get(op, {}).get("schema", "").split("->")[-1].strip().startswith(("Tensor[]", "Tensor(a)[]"))


def load(path):
    SCHEMAS.update(json.loads(path.read_text()))


def acts(op):
    """Is the operator run for what it does: does it write, draw or check?"""
    schema = SCHEMAS.get(op, {}).get("schema", "")
    return "!" in schema or "generator" in schema or schema.endswith("-> ()")
