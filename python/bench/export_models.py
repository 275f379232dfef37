"""Runs `ersatz.torch.export` on a folder of models with known fixes: FOLDER/NAME/model.py and truth.json, checked by
FOLDER/verify.py.

    python python/bench/export_models.py FOLDER [NAME ...]      # with the package on PYTHONPATH

Prints a row of Markdown for each model: the changes with which it exports, whether they refuse inputs that eager mode accepts,
the number of tries, and seconds. The row also says on how many further inputs the exported program equals eager mode, which
guards the report names with their lines, and the results of torch.export.draft_export.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import logging
import re
import sys
import tempfile
import time
from pathlib import Path

import torch

import ersatz.torch
from ersatz.torch.exporting.drafting import decisions


def _verify(folder):
    spec = importlib.util.spec_from_file_location("verify", folder / "verify.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _names(guards):
    """Returns guards and their lines without their values: `u0 > 10` at model.py:22."""
    found = (re.match(r"(`.*?` at model\.py):(\d+)", g) for g in guards)
    return "; ".join(dict.fromkeys(f"{f[1].partition(' at ')[0]} at {f[2]}" for f in found if f)).replace("|", "\\|") or "-"


def _draft(verify, module, further):
    """Returns draft_export's results: its program on further inputs with its seconds, and the guards that it names."""
    begin = time.monotonic()
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            program = torch.export.draft_export(module.make_model(), module.make_inputs()[0], dynamic_shapes=verify.shapes_of(module))
    except Exception as e:
        return f"no program: {type(e).__name__}", "-"
    seconds = time.monotonic() - begin
    beside = verify.compare(module.make_model(), program.module(), further)
    return f"{beside['equal']} of {beside['of']}, {seconds:.1f} s", _names(decisions(program._report))


def _row(verify, folder):
    truth = json.loads((folder / "truth.json").read_text())
    module = verify.load(folder / "model.py")
    report = ersatz.torch.export(module.make_model(), *module.make_inputs(), dynamic_shapes=verify.shapes_of(module))
    further = verify.further(module)
    with tempfile.TemporaryDirectory() as scratch:
        mended = Path(scratch) / "model.py"
        mended.write_text(report.pasted(folder / "model.py"))
        judged = verify.judge(module, verify.load(mended)) if report.exports else None
    program = "no program"
    if report.exports:
        beside = verify.compare(module.make_model(), report.program.module(), further)
        program = f"{beside['equal']} of {beside['of']}"
    harmful = judged["eager"]["raises"] + judged["eager"]["differs"] if judged else 0
    how = ", ".join(dict.fromkeys(c.kind for c in report.changes)) or ("as it is" if report.exports else "reason")
    return [folder.name, truth["fix_kind"], how, "yes" if judged and judged["right"] else "no" if judged else "-", str(harmful), str(len(report.tries)),
            f"{report.seconds:.1f}", program, _names(report.guards), *_draft(verify, module, further)]


def main(arguments):
    torch.set_num_threads(1)
    logging.disable(logging.CRITICAL)  # because draft_export logs its report with the level `critical`
    folder = Path(arguments[0])
    verify = _verify(folder)
    print("| model | true fix | by | right | valid inputs refused, of 100 | tries | s | program equal, of further | guards named | draft_export | guards named by it |")
    print("|---|---|---|---|--:|--:|--:|---|---|---|---|")
    for path in sorted(p.parent for p in folder.glob("*/truth.json")):
        if not arguments[1:] or path.name in arguments[1:]:
            print("| " + " | ".join(_row(verify, path)) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
