// Gradients of ersatz.Tensor: flags, autograd nodes, backward runs, and the thread's grad mode. Names and defaults are
// PyTorch's.
#include "python/module/autograd.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/module/tensor_object.h"
#include "python/module/values.h"
#include "runtime/autograd/accumulate.h"
#include "runtime/autograd/backward.h"
#include "runtime/autograd/grad_mode.h"

namespace ersatz::python {
namespace {

/// The class ersatz.autograd.Node. An object keeps the autograd nodes that it leads to alive.
struct Node {
  Ref<GradNode> node;
};

nb::object node_object(GradNode* node) { return node ? nb::cast(Node{Ref<GradNode>(node)}) : nb::none(); }

nb::object optional_tensor(Tensor t) { return t ? nb::steal(object_of(std::move(t))) : nb::none(); }

/// Returns the tensor; for None an undefined tensor.
Tensor tensor_or_none(nb::handle object, const char* what) {
  if (object.is_none()) return {};
  const Tensor* const t = tensor_in(object.ptr());
  if (!t)
    fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "{}: a tensor or None is wanted, not {}", what,
         Py_TYPE(object.ptr())->tp_name);
  return *t;
}

/// Converts one tensor, or a sequence of tensors, to a list. If `optional` is set, an item may be None.
std::vector<Tensor> tensors_of(nb::handle object, const char* what, bool optional) {
  if (const Tensor* const t = tensor_in(object.ptr())) return {*t};
  if (!PySequence_Check(object.ptr()) || PyUnicode_Check(object.ptr()))
    fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "{}: a tensor or a sequence of tensors is wanted, not {}", what,
         Py_TYPE(object.ptr())->tp_name);
  std::vector<Tensor> tensors;
  for (const nb::handle item : object) {
    if (item.is_none() && !optional) fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "{}: None is no tensor", what);
    tensors.push_back(tensor_or_none(item, what));
  }
  return tensors;
}

BackwardOptions options_of(nb::handle gradients, std::optional<bool> retain_graph, bool create_graph,
                           const char* what) {
  BackwardOptions options;
  if (!gradients.is_none()) options.gradients = tensors_of(gradients, what, true);
  options.retain_graph = retain_graph;
  options.create_graph = create_graph;
  return options;
}

void backward_of(nb::handle tensors, nb::handle gradients, std::optional<bool> retain_graph, bool create_graph) {
  const std::vector<Tensor> of = tensors_of(tensors, "backward", false);
  const BackwardOptions options = options_of(gradients, retain_graph, create_graph, "backward: grad_tensors");
  const nb::gil_scoped_release released;
  backward(of, options);
}

nb::tuple grad_of(nb::handle outputs, nb::handle inputs, nb::handle gradients, std::optional<bool> retain_graph,
                  bool create_graph, bool allow_unused) {
  const std::vector<Tensor> of = tensors_of(outputs, "grad: outputs", false);
  const std::vector<Tensor> to = tensors_of(inputs, "grad: inputs", false);
  BackwardOptions options = options_of(gradients, retain_graph, create_graph, "grad: grad_outputs");
  options.allow_unused = allow_unused;
  std::vector<Tensor> made;
  {
    const nb::gil_scoped_release released;
    made = grad(of, to, options);
  }
  nb::list answer;
  for (Tensor& t : made) answer.append(optional_tensor(std::move(t)));
  return nb::tuple(answer);
}

/// Sets grad mode and inference mode of the thread. Returns their old values.
std::pair<bool, bool> swap_modes(bool grad_mode, bool inference) {
  RuleContext& c = detail::t_context;
  const std::pair<bool, bool> before(c.grad_mode, c.inference_mode);
  c.grad_mode = grad_mode, c.inference_mode = inference;
  return before;
}

void bind_nodes(nb::module_& m) {
  nb::class_<Node>(m, "Node", nb::is_final(), "The node of the graph that made a tensor that requires a gradient.")
      .def(
          "name", [](const Node& n) { return std::string(n.node->node_name()); }, "'MulBackward0', as PyTorch says.")
      .def_prop_ro(
          "next_functions",
          [](const Node& n) {
            nb::list next;
            for (const Edge& e : n.node->next) next.append(nb::make_tuple(node_object(e.node()), e ? e.input() : 0));
            return nb::tuple(next);
          },
          nb::sig("def next_functions(self) -> tuple[tuple[Node | None, int], ...]"),
          "The nodes that it hands gradients to, each with the number of the input; None: no gradient is wanted.")
      .def_prop_ro(
          "variable",
          [](const Node& n) { return n.node->accumulates() ? optional_tensor(leaf_of(*n.node)) : nb::none(); },
          nb::sig("def variable(self) -> Tensor | None"), "The leaf of an AccumulateGrad; None of other nodes.")
      .def(
          "__eq__",
          [](const Node& n, nb::handle o) {
            return nb::isinstance<Node>(o) && n.node.get() == nb::cast<const Node&>(o).node.get();
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Node& n) { return static_cast<Py_ssize_t>(std::hash<const void*>()(n.node.get())); })
      .def("__repr__", [](const Node& n) { return fmt::format("<{}>", n.node->node_name()); });
}

}  // namespace

void bind_gradients(nb::class_<Tensor>& type) {
  type.def_prop_rw(
          "requires_grad", [](const Tensor& t) { return requires_grad(t); },
          [](const Tensor& t, bool wanted) { set_requires_grad(t, wanted); }, "Does autograd follow it?")
      .def(
          "requires_grad_",
          [](nb::handle self, bool wanted) {
            set_requires_grad(*tensor_in(self.ptr()), wanted);
            return nb::borrow(self);
          },
          nb::arg("requires_grad") = true, nb::sig("def requires_grad_(self, requires_grad: bool = True) -> Tensor"),
          "Says of a leaf whether autograd follows it; returns the tensor.")
      .def_prop_ro(
          "is_leaf", [](const Tensor& t) { return is_leaf(t); }, "Was it made by no call that autograd followed?")
      .def_prop_ro(
          "grad_fn", [](const Tensor& t) { return node_object(grad_fn(t)); },
          nb::sig("def grad_fn(self) -> Node | None"), "The node that made it; None of a leaf.")
      .def_prop_rw(
          "grad", [](const Tensor& t) { return optional_tensor(grad(t)); },
          [](const Tensor& t, nb::handle gradient) { set_grad(t, tensor_or_none(gradient, "grad")); },
          nb::for_getter(nb::sig("def grad(self) -> Tensor | None")),
          nb::for_setter(nb::sig("def grad(self, gradient: Tensor | None, /) -> None")),
          nb::for_setter(nb::arg("gradient").none()),
          "The sum of the gradients of backward runs; None: there was none.")
      .def(
          "retain_grad", [](const Tensor& t) { retain_grad(t); }, "Keeps the gradient of a tensor that is no leaf.")
      .def_prop_ro(
          "retains_grad",
          [](const Tensor& t) {
            const AutogradMeta* const a = autograd_meta(t.impl());
            return a && a->retains_grad && !is_leaf(t);
          },
          "Is it no leaf, and does it keep its gradient?")
      .def_prop_ro(
          "_base",
          [](const Tensor& t) {
            const AutogradMeta* const a = autograd_meta(t.impl());
            return a && a->base ? optional_tensor(a->base) : nb::none();
          },
          nb::sig("def _base(self) -> Tensor | None"), "The tensor that it is a view of, as autograd sees it.")
      .def_prop_ro(
          "is_parameter", [](const Tensor& t) { return t.impl()->extra && t.impl()->extra->is_parameter; },
          "Was it made of a parameter of PyTorch?")
      .def(
          "_is_view", [](const Tensor& t) { return is_view(t); }, "Does autograd see it as a view?")
      .def(
          "is_inference", [](const Tensor& t) { return t.meta().inference; }, "Was it made in inference mode?")
      .def(
          "detach", [](const Tensor& t) { return without_history(t); },
          "A tensor on the same memory, without its history.")
      .def(
          "backward",
          [](nb::handle self, nb::handle gradient, std::optional<bool> retain_graph, bool create_graph) {
            if (gradient.is_none()) return backward_of(self, nb::none(), retain_graph, create_graph);
            backward_of(self, nb::make_tuple(gradient), retain_graph, create_graph);
          },
          nb::arg("gradient").none() = nb::none(), nb::arg("retain_graph").none() = nb::none(),
          nb::arg("create_graph") = false,
          nb::sig("def backward(self, gradient: Tensor | None = None, retain_graph: bool | None = None, "
                  "create_graph: bool = False) -> None"),
          "Adds the gradients of this tensor up in the leaves' `grad`.");
}

void bind_autograd(nb::module_& m) {
  bind_nodes(m);
  m.def("backward", &backward_of, nb::arg("tensors"), nb::arg("grad_tensors").none() = nb::none(),
        nb::arg("retain_graph").none() = nb::none(), nb::arg("create_graph") = false,
        nb::sig("def backward(tensors: Tensor | collections.abc.Sequence[Tensor], grad_tensors: Tensor | "
                "collections.abc.Sequence[Tensor | None] | None = None, retain_graph: bool | None = None, "
                "create_graph: bool = False) -> None"),
        "Adds the gradients of these tensors up in the leaves' `grad`.");
  m.def(
      "grad", &grad_of, nb::arg("outputs"), nb::arg("inputs"), nb::arg("grad_outputs").none() = nb::none(),
      nb::arg("retain_graph").none() = nb::none(), nb::arg("create_graph") = false, nb::arg("allow_unused") = false,
      nb::sig("def grad(outputs: Tensor | collections.abc.Sequence[Tensor], inputs: Tensor | "
              "collections.abc.Sequence[Tensor], grad_outputs: Tensor | collections.abc.Sequence[Tensor | None] | "
              "None = None, retain_graph: bool | None = None, create_graph: bool = False, allow_unused: bool = False) "
              "-> tuple[Tensor | None, ...]"),
      "The gradients with respect to `inputs`, leaves or not; no `grad` changes.");
  m.def("swap_grad_modes", &swap_modes, nb::arg("grad_mode"), nb::arg("inference"),
        nb::sig("def swap_grad_modes(grad_mode: bool, inference: bool) -> tuple[bool, bool]"),
        "Sets whether this thread records calls and whether it is in inference mode; returns what was set before.");
  m.def(
      "is_grad_enabled", [] { return rule_context().grad_mode; }, "Are calls of this thread recorded?");
  m.def(
      "is_inference_mode_enabled", [] { return rule_context().inference_mode; }, "Is this thread in inference mode?");
}

}  // namespace ersatz::python
