"""One item of a sweep in a process of its own: `python -m ersatz.sweep_item ITEM FILE` writes the report's JSON to
FILE."""

from __future__ import annotations

import os
import pathlib
import shlex
import sys
import tempfile
from typing import Any

from . import _ersatz

KINDS = ("timm:", "transformers:", "op:")


def exported(item: str, to: str) -> None:
    """Exports the model of `timm:NAME` or `transformers:NAME`, with random weights, on its default input."""
    import torch

    torch.manual_seed(0)
    kind, name = item.split(":", 1)
    model: Any
    arguments: tuple[Any, ...]
    keywords: dict[str, Any] = {}
    if kind == "timm":
        import timm  # type: ignore[import-not-found, import-untyped, unused-ignore]

        model = timm.create_model(name, pretrained=False).eval()
        arguments = (torch.randn(1, *model.default_cfg["input_size"]),)
    else:
        import transformers  # type: ignore[import-not-found, import-untyped, unused-ignore]

        model = transformers.AutoModel.from_config(transformers.AutoConfig.for_model(name)).eval()
        arguments, keywords = (), {key: value for key, value in model.dummy_inputs.items() if isinstance(value, torch.Tensor)}
    with torch.no_grad():
        program = torch.export.export(model, arguments, keywords, strict=False)
    torch.export.save(program, to)


def main(item: str, report: str) -> int:
    """Checks the item. Returns the exit status of the command that ran."""
    if item.startswith("conformance:"):
        from .torch.conforming import judging

        return judging.main(item.removeprefix("conformance:"), report)
    script, *arguments = shlex.split(item)
    if script.endswith(".py"):
        from .torch import script as scripts

        return scripts.main(["--json", "-o", report, script, *arguments])
    if item.startswith("op:"):
        return _ersatz.run_command(["validate", item.removeprefix("op:"), "--json", "-q", "-o", report])
    if not item.startswith(KINDS):
        return _ersatz.run_command(["crosscheck", item, "--json", "-q", "-o", report])
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, f"{pathlib.PurePath(item.split(':', 1)[1]).name}.pt2")
        exported(item, program)
        return _ersatz.run_command(["crosscheck", program, "--json", "-q", "--keep-going", "-o", report])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
