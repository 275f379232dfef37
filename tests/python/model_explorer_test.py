"""Reads the output of `--format model-explorer` with `node_data_builder`, a part of Model Explorer's own package."""

import importlib.metadata
import importlib.util
import json
import pathlib
import sys
import tempfile
import types
import unittest

from ersatz import _ersatz

PROGRAM = """graph(%x: f32[64,96]{1,64}):
  %a: f32[64,96]{96,1} = aten.add.Tensor(%x, %x)
  %b: f32[64,96]{1,64} = aten.relu.default(%a)
  return %b
"""


def builder():
    """Returns the module `node_data_builder`, or None if the package is not installed. The package's __init__ is not run,
    because it imports a server."""
    try:
        files = importlib.metadata.files("ai-edge-model-explorer") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    [file] = [f for f in files if f.name == "node_data_builder.py"]
    path = pathlib.Path(str(file.locate()))
    package = types.ModuleType("model_explorer_files")
    package.__path__ = [str(path.parent)]
    sys.modules[package.__name__] = package
    spec = importlib.util.spec_from_file_location("model_explorer_files.node_data_builder", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class ModelExplorerTest(unittest.TestCase):
    def test_file_equals_the_packages_for_equal_values(self):
        classes = builder()
        if classes is None:
            self.skipTest("ai-edge-model-explorer is not installed (scripts/python_setup BUILD)")
        with tempfile.TemporaryDirectory() as at:
            folder = pathlib.Path(at)
            (folder / "model.txt").write_text(PROGRAM)
            status = _ersatz.run_command(["crosscheck", str(folder / "model.txt"), "--format", "model-explorer", "-o", str(folder / "out.json")])
            written = json.loads((folder / "out.json").read_text())
        self.assertEqual(status, 1)
        [(graph, data)] = written.items()
        # The classes of the package raise for a key that they do not know.
        nodes = {name: classes.NodeDataResult(**row) for name, row in data.pop("results").items()}
        theirs = classes.ModelNodeData(graphsData={graph: classes.GraphNodeData(results=nodes, **data)}).to_json_string()
        ours = dict(written[graph], results={name: vars(row) for name, row in nodes.items()})
        back = json.loads(theirs)[graph]
        self.assertEqual(set(nodes), {"a", "b"})
        self.assertEqual(back["name"], ours["name"])
        self.assertEqual({name: (row["value"], row["bgColor"]) for name, row in back["results"].items()},
                         {name: (row["value"], row["bgColor"]) for name, row in ours["results"].items()})
        self.assertEqual(graph, "graph", "the id that the package's adapter gives the graph of a .pt2 archive")


if __name__ == "__main__":
    unittest.main()
