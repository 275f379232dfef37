#include "python/module/torch_program.h"

#include <nanobind/stl/string.h>

#include "fake/ask/asked_call.h"
#include "python/module/tensor_object.h"
#include "python/module/torch_objects.h"
#include "tracer/pt2/pt2_json_graph.h"

namespace ersatz::python {
namespace {

/// The attributes of a torch.fx node that are read. An interned name is found faster than one that is made for each
/// node.
struct NodeAttributes {
  nb::object name = interned("name"), op = interned("op"), target = interned("target"), args = interned("args"),
             kwargs = interned("kwargs"), users = interned("users"), meta = interned("meta");
  nb::object val = interned("val"), stack_trace = interned("stack_trace");  ///< keys of `meta`

  static const NodeAttributes& get() {
    static const auto* const all = new NodeAttributes;  // never deleted: Python may end before static objects do
    return *all;
  }

 private:
  static nb::object interned(const char* name) { return nb::steal(PyUnicode_InternFromString(name)); }
};

nb::object get(nb::handle node, nb::object NodeAttributes::*attribute) {
  return checked(PyObject_GetAttr(node.ptr(), (NodeAttributes::get().*attribute).ptr()));
}

std::string text(nb::handle o) { return nb::cast<std::string>(nb::str(o)); }

[[noreturn]] void refuse(const std::string& node, const std::string& why) {
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "node {}: {}", node, why);
}

/// Returns the attribute of a module at a dotted path, for example `conv1.weight`.
nb::object attribute_of(nb::handle module, const std::string& path) {
  nb::object at = nb::borrow(module);
  for (size_t from = 0; from <= path.size();) {
    const size_t dot = std::min(path.find('.', from), path.size());
    at = at.attr(path.substr(from, dot - from).c_str());
    from = dot + 1;
  }
  return at;
}

/// Returns item `i` of a list or tuple, None if there is none.
nb::object item_of(nb::handle sequence, size_t i) {
  const bool is_one = PyTuple_Check(sequence.ptr()) || PyList_Check(sequence.ptr());
  return is_one && i < nb::len(sequence) ? nb::object(sequence[i]) : nb::none();
}

/// Returns the value of `meta`, null if the node has none of that name. The node keeps it alive.
PyObject* meta_value(nb::handle fx_node, nb::object NodeAttributes::*key) {
  const nb::object meta = get(fx_node, &NodeAttributes::meta);
  return PyDict_Check(meta.ptr()) ? PyDict_GetItem(meta.ptr(), (NodeAttributes::get().*key).ptr()) : nullptr;
}

}  // namespace

nb::object recorded_value(nb::handle fx_node) {
  PyObject* const v = meta_value(fx_node, &NodeAttributes::val);
  return v ? nb::borrow(v) : nb::none();
}

std::string line_of(nb::handle fx_node) {
  PyObject* const trace = meta_value(fx_node, &NodeAttributes::stack_trace);
  if (!trace || !PyUnicode_Check(trace)) return "";
  return pt2_json::source_line(nb::cast<std::string>(nb::handle(trace)));
}

const Arg* TorchProgram::place(const std::string& node) const {
  if (places_.empty()) {
    for (const auto& [name, stands_for] : entries) places_.emplace(name, &stands_for);
  }
  const auto at = places_.find(node);
  return at == places_.end() ? nullptr : at->second;
}

TorchProgramReader::TorchProgramReader(const TorchLibrary& torch, const TorchFakes& fakes, TorchProgram& to,
                                       TorchRecords* records)
    : torch_(torch), to_(to), program_(to.program), values_(torch, &fakes), records_(records) {
  const nb::module_ ops = nb::module_::import_("torch._ops");
  node_type_ = nb::module_::import_("torch.fx").attr("Node");
  graph_module_ = nb::module_::import_("torch.fx").attr("GraphModule");
  getitem_ = nb::module_::import_("operator").attr("getitem");
  operator_ = ops.attr("OpOverload");
  higher_order_ = ops.attr("HigherOrderOperator");
}

void TorchProgramReader::read(nb::handle graph, nb::handle module, const nb::dict& given) {
  nodes_of(graph, module, &given, program_.main());
}

void TorchProgramReader::nodes_of(nb::handle graph, nb::handle module, const nb::dict* given, Graph& to) {
  const nb::object list = nb::steal(PySequence_List(nb::object(graph.attr("nodes")).ptr()));
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.ptr()); ++i) node(PyList_GET_ITEM(list.ptr(), i), module, given, to);
}

void TorchProgramReader::node(nb::handle n, nb::handle module, const nb::dict* given, Graph& to) {
  const std::string name = nb::cast<std::string>(get(n, &NodeAttributes::name));
  const nb::object op = get(n, &NodeAttributes::op);
  const auto is = [&](const char* what) { return PyUnicode_CompareWithASCIIString(op.ptr(), what) == 0; };
  to_.listed += !is("output");
  if (is("call_function")) return call(n, name, to);
  if (is("placeholder")) {
    PyObject* const value = given ? PyDict_GetItemString(given->ptr(), name.c_str()) : nullptr;
    return input(n, name, value ? nb::borrow(value) : nb::none(), to);
  }
  if (is("get_attr")) return attribute(n, name, module, to);
  if (is("output")) return output(n, to);
  if (!records_ && nb::len(get(n, &NodeAttributes::users)) == 0)
    return to_.left_out.push_back(name);  // for example `_guards_fn` of an exported module
  refuse(name, fmt::format("{} {}: only calls of operators are taken; torch.export or make_fx makes a graph of them",
                           text(op), text(get(n, &NodeAttributes::target))));
}

void TorchProgramReader::put(nb::handle node, const std::string& name, Arg stands_for, Graph& to) {
  places_.emplace(node.ptr(), stands_for);
  if (&to == &program_.main()) to_.entries.emplace_back(name, stands_for);
}

void TorchProgramReader::input(nb::handle node, const std::string& name, nb::object value, Graph& to) {
  const nb::object recorded = records_ || value.is_none() ? recorded_value(node) : nb::none();
  const Arg v = result(name, to, kind_of(value.is_none() ? recorded : value));
  record(v, recorded.is_none() ? value : recorded, name, to);
  GraphInput in;
  in.value = v.index;
  to.inputs.push_back(in);
  if (&to == &program_.main()) to_.inputs.push_back({name, std::move(value), nb::borrow(node)});
  put(node, name, v, to);
}

void TorchProgramReader::attribute(nb::handle node, const std::string& name, nb::handle module, Graph& to) {
  const std::string path = nb::cast<std::string>(get(node, &NodeAttributes::target));
  nb::object value = attribute_of(module, path);
  if (!nb::isinstance(value, graph_module_)) {
    if (&to != &program_.main()) refuse(name, "a nested graph that has attributes of its own");
    return input(node, name, std::move(value), to);
  }
  const auto [known, is_new] = graphs_.try_emplace(value.ptr(), static_cast<uint32_t>(program_.graphs.size()));
  const uint32_t index = known->second;
  if (is_new) {
    const NameId own = program_.names.intern(unused_graph_name(path));
    program_.graphs.push_back(std::make_unique<Graph>());
    Graph& nested = *program_.graphs.back();
    nested.name = own;
    nodes_of(value.attr("graph"), value, nullptr, nested);
  }
  places_.emplace(node.ptr(), Arg{0, Arg::Kind::Graph, index});
}

std::string TorchProgramReader::unused_graph_name(const std::string& wanted) const {
  std::string name = wanted;
  const auto taken = [&](const auto& graph) { return program_.name(graph->name) == name; };
  for (int i = 1; std::any_of(program_.graphs.begin(), program_.graphs.end(), taken); ++i) {
    name = fmt::format("{}_{}", wanted, i);
  }
  return name;
}

const TorchProgramReader::Target& TorchProgramReader::target(nb::handle function, const std::string& node) {
  const auto [at, is_new] = targets_.try_emplace(function.ptr());
  Target& t = at->second;
  if (!is_new) return t;
  t.object = nb::borrow(function);
  if (function.is(getitem_)) {
    t.kind = Target::Kind::Item;
  } else if (nb::isinstance(function, operator_)) {
    t.op = program_.add_op(text(function));
  } else if (nb::isinstance(function, higher_order_)) {
    t.op = program_.add_op("higher_order." + nb::cast<std::string>(function.attr("_name")));
  } else if (nb::hasattr(function, "__module__") && nb::hasattr(function, "__name__")) {
    const std::string called = text(function.attr("__module__")) + "." + text(function.attr("__name__"));
    t.op = program_.add_op(called);
    if (program_.ops[t.op].kind != ProgramOp::Kind::SymFunction) {
      targets_.erase(at);
      refuse(node, fmt::format("{} is no operator: torch.export or make_fx makes a graph of operators", called));
    }
  } else {
    targets_.erase(at);
    refuse(node, fmt::format("{} is no operator", text(function)));
  }
  return t;
}

void TorchProgramReader::call(nb::handle fx, const std::string& name, Graph& to) {
  const nb::object args = get(fx, &NodeAttributes::args), kwargs = get(fx, &NodeAttributes::kwargs);
  const Target* found = nullptr;
  try {
    found = &target(get(fx, &NodeAttributes::target), name);
  } catch (const Error&) {
    if (records_ || nb::len(get(fx, &NodeAttributes::users)) > 0) throw;
    return to_.left_out.push_back(name);  // for example `_set_grad_enabled`
  }
  if (found->kind == Target::Kind::Item) return put(fx, name, item(fx, args, name, to), to);
  Node node;
  node.op = found->op;
  node.name = program_.names.intern(name);
  if (records_) node.source = source_of(fx);
  std::vector<Arg> arguments;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args.ptr()); ++i) {
    arguments.push_back(argument(PyTuple_GET_ITEM(args.ptr(), i), name));
  }
  PyObject *key = nullptr, *value = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(kwargs.ptr(), &at, &key, &value);) {
    arguments.push_back(argument(value, name));
    arguments.back().name = program_.names.intern(PyUnicode_AsUTF8(key));
  }
  node.args = program_.add_args(arguments);
  const Arg stands_for = results(node, fx, name, to);
  to.nodes.push_back(node);
  if (&to == &program_.main()) to_.nodes.push_back(nb::borrow(fx));
  put(fx, name, stands_for, to);
}

Arg TorchProgramReader::item(nb::handle fx, nb::handle args, const std::string& node, Graph& to) {
  const auto from = places_.find(PyTuple_GET_ITEM(args.ptr(), 0));
  PyObject* const index = PyTuple_GET_ITEM(args.ptr(), 1);
  if (from == places_.end() || from->second.kind != Arg::Kind::List || !PyLong_Check(index)) {
    refuse(node, "getitem of what is no list of results");
  }
  const std::span<const Arg> items = program_.list(from->second);
  const long i = PyLong_AsLong(index);
  const auto n = static_cast<long>(items.size());
  if (i < -n || i >= n) refuse(node, fmt::format("result {} of {}", i, n));
  const Arg found = items[static_cast<size_t>(i < 0 ? i + n : i)];
  if (records_ && found.kind == Arg::Kind::Value) {
    GraphValue& value = to.values[found.index];
    // The first node that takes a result names it, and its metadata is the result's.
    if (program_.name(value.name).find('.') != std::string_view::npos) {
      value.name = program_.names.intern(node);
      record(found, recorded_value(fx), node, to);
    }
  }
  return found;
}

void TorchProgramReader::record_all(const Arg& to, nb::handle metadata, const std::string& node, Graph& graph) {
  if (to.kind != Arg::Kind::List) return record(to, metadata, node, graph);
  for (size_t i = 0, n = program_.list(to).size(); i < n; ++i) {
    record(program_.list(to)[i], item_of(metadata, i), node, graph);
  }
}

void TorchProgramReader::record(const Arg& to, nb::handle metadata, const std::string& node, Graph& graph) {
  if (!records_ || to.kind != Arg::Kind::Value) return;
  try {
    records_->record(graph.values[to.index], metadata);
  } catch (const Error& e) {
    refuse(node, e.message);
  }
}

NameId TorchProgramReader::source_of(nb::handle fx) {
  PyObject* const trace = meta_value(fx, &NodeAttributes::stack_trace);
  if (!trace) return program_.names.intern("");
  const auto [known, is_new] = sources_.try_emplace(trace);
  if (is_new) known->second = program_.names.intern(line_of(fx));
  return known->second;
}

Arg TorchProgramReader::argument(PyObject* o, const std::string& node) {
  if (Py_TYPE(o) == reinterpret_cast<PyTypeObject*>(node_type_.ptr())) {
    const auto at = places_.find(o);
    if (at == places_.end()) refuse(node, fmt::format("%{} has no value", text(nb::handle(o))));
    return at->second;
  }
  if (o == Py_None) return {};
  if (PyList_Check(o) || PyTuple_Check(o)) return list_argument(o, node);
  if (PyDict_Check(o)) {
    std::vector<Arg> items;
    PyObject *key = nullptr, *value = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(o, &at, &key, &value);) {
      items.push_back(argument(value, node));
      items.back().name = program_.names.intern(text(nb::handle(key)));
    }
    return program_.add_dict(items);
  }
  if (nb::isinstance(nb::handle(o), operator_)) {
    return {0, Arg::Kind::Operator, program_.add_op(text(nb::handle(o)))};
  }
  values_.clear();
  const ErsatzValue v = values_.value(o);
  if (values_.opaque()) refuse(node, fmt::format("an argument that is a {}", values_.opaque()));
  return program_.add_literal(value_from_c(v));
}

Arg TorchProgramReader::list_argument(PyObject* sequence, const std::string& node) {
  bool plain = true;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence) && plain; ++i) {
    plain = PyLong_CheckExact(PySequence_Fast_GET_ITEM(sequence, i));
  }
  if (plain) {
    values_.clear();
    const ErsatzValue v = values_.value(sequence);
    if (values_.opaque()) refuse(node, fmt::format("an argument that is a {}", values_.opaque()));
    return program_.add_literal(value_from_c(v));
  }
  std::vector<Arg> items;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence); ++i) {
    items.push_back(argument(PySequence_Fast_GET_ITEM(sequence, i), node));
  }
  return program_.add_list(items);
}

Arg TorchProgramReader::result(const std::string& name, Graph& to, ValueKind kind) {
  GraphValue v;
  v.name = program_.names.intern(name);
  v.kind = kind;
  v.node = static_cast<NodeId>(to.nodes.size());
  return {0, Arg::Kind::Value, program_.add_value(to, v)};
}

Arg TorchProgramReader::result_list(size_t n, const std::string& name, Graph& to) {
  std::vector<Arg> items;
  for (size_t i = 0; i < n; ++i) items.push_back(result(fmt::format("{}.{}", name, i), to));
  return program_.add_result_list(items);
}

size_t TorchProgramReader::items_of(nb::handle fx) const {
  const nb::object recorded = recorded_value(fx);
  if (PyTuple_Check(recorded.ptr()) || PyList_Check(recorded.ptr())) return nb::len(recorded);
  size_t n = 0;
  for (nb::handle user : get(fx, &NodeAttributes::users)) {
    if (!get(user, &NodeAttributes::target).is(getitem_)) continue;
    n = std::max(n, nb::cast<size_t>(nb::object(get(user, &NodeAttributes::args)[1])) + 1);
  }
  return n;
}

Arg TorchProgramReader::results(Node& node, nb::handle fx, const std::string& name, Graph& to) {
  const ProgramOp& op = program_.ops[node.op];
  std::vector<Arg> all;
  Arg stands_for;
  if (op.entry) {
    const std::vector<Argument>& returns = op.entry->schema.returns;
    const nb::object recorded = records_ ? recorded_value(fx) : nb::none();
    for (size_t i = 0; i < returns.size(); ++i) {
      const std::string own = returns.size() == 1 ? name : fmt::format("{}.{}", name, i);
      all.push_back(returns[i].type.is_list() ? result_list(items_of(fx), own, to) : result(own, to));
      record_all(all.back(), returns.size() == 1 ? recorded : item_of(recorded, i), name, to);
    }
    if (all.size() == 1) stands_for = all[0];
    if (all.size() > 1) stands_for = program_.add_result_list(all);
  } else {
    const nb::object recorded = recorded_value(fx);
    if (records_ && op.kind == ProgramOp::Kind::SymFunction && kind_of(recorded) == ValueKind::Tensor)
      refuse(name, fmt::format("{} of tensors is no operator", program_.name(op.name)));
    const bool several = PyTuple_Check(recorded.ptr()) || PyList_Check(recorded.ptr()) || items_of(fx) > 0;
    if (several) {
      for (size_t i = 0, n = items_of(fx); i < n; ++i) {
        const nb::object one = item_of(recorded, i);
        all.push_back(result(fmt::format("{}.{}", name, i), to, kind_of(one)));
        record(all.back(), one, name, to);
      }
      stands_for = program_.add_result_list(all);
      node.one_tuple = all.size() == 1;
    } else if (op.kind == ProgramOp::Kind::SymFunction || !recorded.is_none() ||
               nb::len(get(fx, &NodeAttributes::users)) > 0) {
      stands_for = result(name, to, kind_of(recorded));
      record(stands_for, recorded, name, to);
      all.push_back(stands_for);
    }
  }
  node.results = program_.add_args(all);
  return stands_for;
}

void TorchProgramReader::output(nb::handle fx, Graph& to) {
  const std::string name = "output";
  const Arg whole = argument(PyTuple_GET_ITEM(get(fx, &NodeAttributes::args).ptr(), 0), name);
  if (whole.kind == Arg::Kind::List) {
    for (const Arg& a : program_.list(whole)) {
      if (a.kind == Arg::Kind::List) {
        if (&to != &program_.main()) refuse(name, "a nested graph that returns lists");
        to.outputs.clear();  // the value in `entries` has the structure, so no output of a run is needed
        break;
      }
      to.outputs.push_back({a});
    }
  } else {
    to.outputs.push_back({whole});
    to.single_result = true;
  }
  if (&to == &program_.main()) to_.entries.emplace_back(name, whole);
}

ValueKind TorchProgramReader::kind_of(nb::handle value) const {
  PyObject* const o = value.ptr();
  if (PyBool_Check(o)) return ValueKind::Bool;
  if (PyLong_Check(o)) return ValueKind::Int;
  if (PyFloat_Check(o)) return ValueKind::Float;
  if (PyUnicode_Check(o) || torch_.is_any_tensor(o) || tensor_in(o)) {
    return ValueKind::Tensor;
  }
  return ValueKind::Unknown;
}

}  // namespace ersatz::python
