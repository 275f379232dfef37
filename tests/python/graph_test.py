"""`ersatz.torch.fake` predicts for every node of a PyTorch graph the metadata that PyTorch recorded."""

from __future__ import annotations

import operator
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

from torch.fx.experimental.proxy_tensor import make_fx

import ersatz
import ersatz.torch
import own_model

try:
    import torchvision
except ImportError:
    torchvision = None
try:
    import transformers
except ImportError:
    transformers = None


def leaves(value):
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, (list, tuple)) else [value]


def ersatz_dtype(tensor):
    kind = "bool" if tensor.dtype == torch.bool else "u" if tensor.dtype == torch.uint8 else "bf" if tensor.dtype == torch.bfloat16 else None
    kind = kind or ("c" if tensor.is_complex() else "f" if tensor.is_floating_point() else "i")
    return kind if kind == "bool" else f"{kind}{8 * tensor.element_size()}"


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.out = torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.Linear(8, 4)

    def forward(self, x):
        a, b = torch.split(self.norm(self.conv(x)).relu(), 4, 1)
        return self.out(torch.cat([a, b], 1).mean([2, 3]).view(x.shape[0], 8)), a.transpose(1, 2)


class Agreement:
    def agrees(self, program, *inputs):
        """Requires that every node has the metadata that PyTorch recorded. Returns the number of tensors."""
        answer = ersatz.torch.fake(program, *inputs)
        compared = 0
        for node in program.graph.nodes:
            if "val" not in node.meta:
                continue
            theirs, ours = leaves(node.meta["val"]), leaves(answer[node.name])
            self.assertEqual(len(theirs), len(ours), node.name)
            for t, o in zip(theirs, ours):
                if not isinstance(t, torch.Tensor):
                    continue
                compared += 1
                theirs_told = (ersatz_dtype(t), tuple(t.shape), t.stride(), t.storage_offset(), str(t.device))
                self.assertEqual((o.dtype, o.shape, o.strides, o.storage_offset, o.device), theirs_told,
                                 f"{node.name}: {node.target}")
        self.assertEqual(dict(answer.recorded), {})
        return compared


class Graphs(Agreement, unittest.TestCase):
    def test_an_exported_program_from_what_it_records(self):
        program = torch.export.export(Block().eval(), (torch.randn(2, 3, 8, 8),))
        self.assertGreater(self.agrees(program), 15)

    def test_a_module_with_attributes_from_given_inputs(self):
        x = torch.randn(2, 3, 8, 8)
        program = torch.export.export(Block().eval(), (x,)).module()
        self.assertGreater(self.agrees(program, x), 15)

    def test_a_graph_of_make_fx_forward_and_backward(self):
        weight = torch.randn(4, 3, requires_grad=True)

        def step(x, w):
            return torch.autograd.grad(torch.nn.functional.layer_norm(x @ w.t(), [4]).sum(), [w])

        self.assertGreater(self.agrees(make_fx(step, tracing_mode="fake")(torch.randn(5, 3), weight)), 10)

    def test_inputs_as_metadata_and_another_device(self):
        graph = ersatz.torch.Graph(make_fx(lambda x: torch.zeros(3) + x.t())(torch.ones(3, 2)))
        answer = graph("f32[3,5]{1,3}", device="cuda")
        self.assertEqual(answer.meta("add"), "f32[5,3]{3,1}+0@cuda:0")
        self.assertEqual(answer.meta("zeros"), "f32[3]{1}+0@cuda:0")
        self.assertEqual(graph("f32[3,7]").meta("add"), "f32[7,3]{1,7}+0@cpu")

    def test_names_results_and_text(self):
        module = make_fx(lambda x: torch.split(x, 2))(torch.ones(4, 3))
        answer = ersatz.torch.fake(module, "f32[4,3]")
        self.assertEqual(list(answer), ["x_1", "split", "getitem", "getitem_1", "output"])
        self.assertEqual(answer["getitem_1"].storage_offset, 6)
        self.assertTrue(answer["split"][0].shares_storage(answer["x_1"]))
        self.assertEqual(answer.meta("split"), "[f32[2,3]{3,1}+0@cpu, f32[2,3]{3,1}+6@cpu]")
        self.assertEqual(len(str(answer).splitlines()), 5)
        with self.assertRaises(KeyError):
            answer["nothing"]

    def test_sizes_that_values_decide_are_symbols(self):
        graph = torch.fx.Graph()
        found = graph.call_function(torch.ops.aten.nonzero.default, (graph.placeholder("x"),))
        graph.output(found)
        rows, columns = ersatz.torch.fake(torch.fx.GraphModule({}, graph), "f32[5,4]")["nonzero_default"].shape
        self.assertEqual((rows, columns), ("u0", 2))

    def test_numbers_between_calls(self):
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        size = graph.call_function(torch.ops.aten.sym_size.int, (x, 0))
        twice = graph.call_function(operator.mul, (size, 2))
        graph.output(graph.call_function(torch.ops.aten.view.default, (x, [twice, -1])))
        answer = ersatz.torch.fake(torch.fx.GraphModule({}, graph), "f32[3,4]")
        self.assertEqual((answer["mul"], answer.meta("view_default")), (6, "f32[6,2]{2,1}+0@cpu"))

    def test_a_region_without_gradients_runs_its_graph(self):
        class Region(torch.nn.Module):
            def forward(self, x):
                with torch.no_grad():
                    y = x.relu() + 1
                return y @ x

        program = torch.export.export(Region(), (torch.ones(3, 3, requires_grad=True),))
        self.assertTrue(any("grad_enabled" in str(n.target) for n in program.graph.nodes), program.graph)
        self.assertGreater(self.agrees(program), 2)

    def test_cond_takes_what_both_branches_return(self):
        class Choice(torch.nn.Module):
            def forward(self, x):
                return torch.cond(x.sum() > 0, lambda x: x.t() + 1, lambda x: x.t() - 1, (x,))

        self.assertGreater(self.agrees(torch.export.export(Choice(), (torch.ones(3, 2),))), 2)


class OwnOperators(unittest.TestCase):
    class Net(torch.nn.Module):
        def forward(self, x, w):
            y = own_model.rope(own_model.qkv(x, w), base=10.)
            a, b = own_model.merged(y.contiguous())
            own_model.bumped(y)
            return torch.relu(own_model.scores(y)), a + b, own_model.tail(a)

    def test_the_fake_kernels_of_their_authors_answer(self):
        x, w = torch.randn(3, 4), torch.randn(6, 4)
        program = torch.export.export(self.Net(), (x, w))
        said = ersatz.torch.fake(program)
        names = {n.name: n for n in program.graph.nodes if n.op == "call_function" and "own_model" in str(n.target)}
        self.assertEqual(said.by_fake, {name: str(n.target) for name, n in names.items()})
        for name in ("qkv", "rope", "scores", "tail"):
            recorded = names[name].meta["val"]
            spelled = f"[{','.join(map(str, recorded.shape))}]{{{','.join(map(str, recorded.stride()))}}}+{recorded.storage_offset()}@"
            self.assertIn(spelled, said.meta(name))
        self.assertIn("f32[2,6]{6,1}+6@cpu", said.meta("tail"))
        self.assertEqual(ersatz.torch.fake(program, device="cuda").meta("qkv"), "f32[3,6]{6,1}+0@cuda:0")
        self.assertIn("by the fake kernel of own_model.qkv.default: qkv", str(said))

    def test_unanswering_graph_is_named_with_the_reason(self):
        graph = torch.fx.Graph()
        graph.output(graph.call_function(torch.ops.own_model.kept.default, (graph.placeholder("x"),)))
        with self.assertRaisesRegex(ersatz.errors.NotImplementedError, "no operator own_model.kept.default; its fake kernel makes sizes "
                                                                       "from data"):
            ersatz.torch.fake(torch.fx.GraphModule({}, graph), torch.ones(3, 4))


class Refusals(unittest.TestCase):
    def custom(self):
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        same = graph.call_function(torch.ops.graph_test.same.default, (x,))
        same.meta["val"] = torch.empty(2, 7, device="meta")
        graph.output(graph.call_function(torch.ops.aten.relu.default, (same,)))
        return torch.fx.GraphModule({}, graph)

    @classmethod
    def setUpClass(cls):
        cls.lib = torch.library.Library("graph_test", "FRAGMENT")
        cls.lib.define("same(Tensor x) -> Tensor")

    def test_an_operator_that_is_not_here_is_named(self):
        with self.assertRaisesRegex(ersatz.errors.NotImplementedError, "node same_default.*there is no operator graph_test.same.default"):
            ersatz.torch.fake(self.custom(), "f32[2,3]")

    def test_keep_going_takes_what_is_recorded(self):
        answer = ersatz.torch.fake(self.custom(), "f32[2,3]", keep_going=True, device="cuda")
        self.assertEqual(answer.meta("relu_default"), "f32[2,7]{7,1}+0@cuda:0")
        self.assertEqual(answer.recorded, {"same_default": "there is no operator graph_test.same.default; no fake kernel: "
                                                           '@torch.library.register_fake("graph_test::same")'})

    def test_a_refused_call_names_node_and_line(self):
        class Product(torch.nn.Module):
            def forward(self, x, y):
                return torch.mm(x, y)

        program = torch.export.export(Product(), (torch.ones(2, 3), torch.ones(3, 2)))
        with self.assertRaisesRegex(ersatz.errors.RuntimeError, r"^node mm \(.*graph_test.py:\d+ in forward: return torch.mm\(x, y\)\): mm: "):
            ersatz.torch.fake(program, "f32[2,3]", "f32[2,3]")

    def test_a_graph_of_python_functions_is_refused(self):
        with self.assertRaisesRegex(ersatz.errors.NotImplementedError, "node relu: .*torch.export or make_fx"):
            ersatz.torch.fake(torch.fx.symbolic_trace(lambda x: torch.relu(x)), "f32[2]")

    def test_the_number_of_inputs(self):
        with self.assertRaisesRegex(TypeError, "takes 1 inputs .x_1., 2 are given"):
            ersatz.torch.fake(make_fx(lambda x: torch.relu(x))(torch.ones(2)), "f32[2]", "f32[2]")

    def test_an_input_that_cannot_be_used_is_named(self):
        with self.assertRaisesRegex(ersatz.Error, "input x_1: sparse layout"):
            ersatz.torch.fake(make_fx(lambda x: torch.relu(x))(torch.ones(2)), torch.ones(2, 2).to_sparse())


@unittest.skipUnless(torchvision, "needs torchvision")
class Torchvision(Agreement, unittest.TestCase):
    def test_resnet50(self):
        program = torch.export.export(torchvision.models.resnet50(weights=None).eval(), (torch.randn(2, 3, 64, 64),))
        self.assertGreater(self.agrees(program), 490)

    def test_swin_t(self):
        program = torch.export.export(torchvision.models.swin_t(weights=None).eval(), (torch.randn(2, 3, 64, 64),))
        self.assertGreater(self.agrees(program), 800)


@unittest.skipUnless(transformers, "needs transformers")
class Transformers(Agreement, unittest.TestCase):
    def exported(self, model):
        model.config.use_cache = False
        return torch.export.export(model.eval(), (torch.randint(0, 50, (2, 16)),))

    def test_bert(self):
        small = dict(hidden_size=64, num_hidden_layers=4, num_attention_heads=4, intermediate_size=128, vocab_size=100)
        self.assertGreater(self.agrees(self.exported(transformers.BertModel(transformers.BertConfig(**small)))), 190)

    def test_gpt2(self):
        config = transformers.GPT2Config(n_embd=64, n_layer=4, n_head=4, vocab_size=100, bos_token_id=0, eos_token_id=1)
        self.assertGreater(self.agrees(self.exported(transformers.GPT2LMHeadModel(config))), 260)


if __name__ == "__main__":
    unittest.main()
