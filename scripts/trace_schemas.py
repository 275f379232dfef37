"""Schemas of operators, for the scripts that compare traces with PyTorch's."""
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
    """True if the operator writes, draws or checks, so that it matters even if its results are unused."""
    schema = SCHEMAS.get(op, {}).get("schema", "")
    return "!" in schema or "generator" in schema or schema.endswith("-> ()")
