// A graph of torch.fx as a program (tracer/program/program.h): nodes become calls of operators on numbered values,
// once.
//
// Nodes that are no calls vanish: placeholders and attributes become inputs, `getitem` the value that it takes out,
// graphs among attributes arguments of the nodes that run them. A result's metadata by PyTorch (`meta["val"]`) is left
// where it is, and read only where a node cannot be answered otherwise, or does not say how many results it has.
#pragma once

#include <string>
#include <unordered_map>

#include "python/module/torch_values.h"
#include "tracer/program/program.h"

namespace ersatz::python {

/// An input of the program: a placeholder's value, or an attribute of the module.
struct TorchInput {
  std::string name;
  nb::object value;  ///< None: what the node's `meta["val"]` says
  nb::object node;
};

struct TorchProgram {
  Program program;
  std::vector<TorchInput> inputs;                    ///< those of the main graph, in order
  std::vector<nb::object> nodes;                     ///< of torch.fx, by NodeId of the main graph
  std::vector<std::pair<std::string, Arg>> entries;  ///< what each node of torch.fx stands for, in order
  std::vector<std::string> left_out;                 ///< calls without users that are no operators

  /// What the node of torch.fx stands for; null: there is no such node. REQUIRES the GIL.
  const Arg* place(const std::string& node) const;

 private:
  mutable std::unordered_map<std::string_view, const Arg*> places_;  ///< `entries` by name, made when first asked
};

class TorchProgramReader {
 public:
  TorchProgramReader(const TorchLibrary& torch, const TorchFakes& fakes, TorchProgram& to);

  /// `given`: values of placeholders by name; `module`: has the attributes. NotSupported names a node that is no call
  /// of an operator.
  void read(nb::handle graph, nb::handle module, const nb::dict& given);

 private:
  using Places = std::unordered_map<PyObject*, Arg>;
  struct Target {
    nb::object object;  ///< kept, so that its address stays its own
    enum class Kind : uint8_t { Op, Item } kind = Kind::Op;
    uint32_t op = 0;
  };

  void nodes_of(nb::handle graph, nb::handle module, const nb::dict* given, Graph& to);
  void node(nb::handle node, nb::handle module, const nb::dict* given, Graph& to);
  void input(nb::handle node, const std::string& name, nb::object value, Graph& to);
  void attribute(nb::handle node, const std::string& name, nb::handle module, Graph& to);
  void call(nb::handle node, const std::string& name, Graph& to);
  void output(nb::handle node, Graph& to);
  void put(nb::handle node, const std::string& name, Arg stands_for, Graph& to);

  const Target& target(nb::handle function, const std::string& node);
  Arg item(nb::handle args, const std::string& node);
  Arg argument(PyObject* o, const std::string& node);
  Arg list_argument(PyObject* sequence, const std::string& node);
  Arg results(Node& node, nb::handle fx, const std::string& name, Graph& to);
  Arg result(const std::string& name, Graph& to, ValueKind kind = ValueKind::Unknown);
  Arg result_list(size_t n, const std::string& name, Graph& to);
  size_t items_of(nb::handle fx) const;
  ValueKind kind_of(nb::handle value) const;

  const TorchLibrary& torch_;
  TorchProgram& to_;
  Program& program_;
  TorchValues values_;
  Places places_;
  std::unordered_map<PyObject*, Target> targets_;
  nb::object node_type_, getitem_, operator_, higher_order_, graph_module_;
};

/// What `meta["val"]` of a node of torch.fx holds; None where it has none.
nb::object recorded_value(nb::handle fx_node);

}  // namespace ersatz::python
