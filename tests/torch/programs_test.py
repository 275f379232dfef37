"""PyTorch runs programs that ersatz wrote: each `own/` program of the data folder (or of tests/programs), as .pt2
archive and as Python text.

The results must be those of the eager model. If PyTorch on this machine gets other results from its own archive of the
program, these results are expected instead.
"""
import importlib.util
import logging
import os
import pathlib
import subprocess
import tempfile
import unittest
import warnings

try:
    import torch
except ImportError:
    torch = None
else:
    from stored_values import StoredValues

ROOT = pathlib.Path(__file__).resolve().parents[2]
ERSATZ = os.environ.get("ERSATZ_PROGRAM", str(ROOT / "build" / "bin" / "ersatz"))
DATA = pathlib.Path(os.environ.get("ERSATZ_DATA", "")) / "programs" / "own"
FOLDER = DATA if os.environ.get("ERSATZ_DATA") and DATA.is_dir() else ROOT / "tests" / "programs"
PROGRAMS = sorted(d for d in FOLDER.iterdir() if (d / f"{d.name}.pt2").exists())
NO_OPS = ("custom_op", "custom_op_training")  # programs with operators of `demo`, which PyTorch lacks


def written(program, name, *options):
    """Writes the program with `ersatz show`, and returns the path of the file."""
    file = pathlib.Path(tempfile.mkdtemp(dir=WORK.name)) / name
    done = subprocess.run([ERSATZ, "show", str(program), *options, "-o", str(file)], capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"ersatz show ends with {done.returncode}: {done.stderr}")
    return file


def as_list(results):
    return list(results) if isinstance(results, (tuple, list)) else [results]


def is_answer(spec):
    return spec.kind.name in ("USER_OUTPUT", "LOSS_OUTPUT")


def state_of(exported):
    """Returns the values of the graph's inputs in order; None for inputs that the caller gives."""
    signature = exported.graph_signature
    held = {**exported.state_dict, **exported.constants}
    return [None if s.kind.name == "USER_INPUT" else held.get(s.target) for s in signature.input_specs]


class Run:
    """One run: its results as `answers`, then buffers and inputs as they are after the run, by name."""

    def __init__(self, exported, values):
        given = [r.value.detach() if isinstance(r.value, torch.Tensor) else r.value for r in values.inputs]
        given = [copied(v) for v in given]
        specs = exported.graph_signature.output_specs
        with torch.no_grad():
            if any("GRADIENT" in s.kind.name for s in specs):  # PyTorch makes no module of a graph with gradients
                rest = iter(given)
                inputs = [next(rest) if v is None else v for v in state_of(exported)]
                results = torch.fx.Interpreter(exported.graph_module).run(*inputs)
                self.answers = [r for r, s in zip(results, specs) if is_answer(s)]
                self.buffers = {s.target: r for r, s in zip(results, specs) if s.kind.name == "BUFFER_MUTATION"}
            else:
                module = exported.module()
                self.answers = as_list(module(*given))
                self.buffers = dict(module.named_buffers())
        self.inputs = {r.name: v for r, v in zip(values.inputs, given)}


class PythonRun:
    """A run of a Python text, which makes its own parameters and buffers."""

    def __init__(self, file, exported, values):
        spec = importlib.util.spec_from_file_location("written_program", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        given = iter([copied(r.value) for r in values.inputs])
        specs = exported.graph_signature.input_specs
        inputs = [next(given) if s.kind.name == "USER_INPUT" else v for s, v in zip(specs, module.inputs(), strict=True)]
        with torch.no_grad():
            results = module.forward(*inputs)
        outputs = exported.graph_signature.output_specs
        self.answers = [r for r, s in zip(results, outputs, strict=True) if is_answer(s)]
        self.buffers = {s.target: v for s, v in zip(specs, inputs) if s.kind.name == "BUFFER"}
        self.inputs = {r.name: v for r, v in zip(values.inputs, [v for s, v in zip(specs, inputs) if s.kind.name == "USER_INPUT"])}


def copied(value):
    """Returns a copy with the value's layout, gaps included."""
    if not isinstance(value, torch.Tensor):
        return value
    memory = value.untyped_storage().clone()
    return torch.empty(0, dtype=value.dtype).set_(memory, value.storage_offset(), value.shape, value.stride())


def same(a, b):
    return a == b if not isinstance(a, torch.Tensor) else torch.equal(a.nan_to_num(), b.nan_to_num()) and a.dtype == b.dtype


def unsure(exported):
    """Returns names of results of `median` over an expanded dim, for which PyTorch reads memory outside of the tensor
    (docs/deviations.md)."""
    medians = [n for n in exported.graph.nodes if "median" in str(n.target) and 0 in n.args[0].meta["val"].stride()]
    return {user.name for n in medians for user in (n, *n.users)}


def differences(run, values, exported, by_pytorch):
    """Returns the differences in words. `by_pytorch()` runs PyTorch's own archive; it is called if a stored value differs."""
    found = []
    if len(run.answers) != len(values.outputs):
        return [f"{len(run.answers)} results, not {len(values.outputs)}"]
    loose = unsure(exported)
    for i, row in enumerate(values.outputs):
        if row.name in loose:
            continue
        why = row.difference_to(run.answers[i])
        if why and not same(run.answers[i], by_pytorch().answers[i]):
            found.append(why)
    for rows, after in ((values.buffers_after, run.buffers), (values.inputs_after, run.inputs)):
        found += [f"afterwards {why}" for row in rows if row.name in after and (why := row.difference_to(after[row.name]))]
    return found


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class WrittenPrograms(unittest.TestCase):
    def check(self, folder, make):
        program = folder / f"{folder.name}.pt2"
        try:
            torch.export.load(str(program))
        except RuntimeError as e:
            self.skipTest(f"this PyTorch does not load its own archive: {str(e).splitlines()[0]}")
        exported = torch.export.load(str(written(program, "written.pt2")))
        if not (folder / "inputs_outputs.json").exists():
            return  # no values to run it on: loading it is the whole test
        values = StoredValues(folder)
        own = []

        def by_pytorch():
            if not own:
                own.append(Run(torch.export.load(str(program)), values))
            return own[0]

        self.assertEqual(differences(make(program, exported, values), values, exported, by_pytorch), [])


def add_tests(folder):
    def archive(self):
        self.check(folder, lambda program, exported, values: Run(exported, values))

    def python(self):
        def make(program, exported, values):
            return PythonRun(written(program, "written.py", "--python", "--inline-values"), exported, values)
        self.check(folder, make)

    for test, kind in ((archive, "archive"), (python, "python")):
        if folder.name in NO_OPS:
            test = unittest.skip(f"PyTorch lacks the operators of {folder.name}")(test)
        setattr(WrittenPrograms, f"test_{kind}_of_{folder.name}", test)


logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")
if torch:
    torch.set_num_threads(1)
WORK = tempfile.TemporaryDirectory()
for each in PROGRAMS:
    add_tests(each)
print(f"{len(PROGRAMS)} programs of {FOLDER}")
