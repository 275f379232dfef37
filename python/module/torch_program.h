// Converts a torch.fx graph once into a program (tracer/program/program.h), whose nodes are operator calls on numbered
// values.
//
// Nodes that are no calls disappear: placeholders and attributes become inputs, and `getitem` becomes the item that it
// returns. Graphs in attributes become arguments of the nodes that run them. A result's recorded metadata
// (`meta["val"]`) stay in PyTorch. They are read only if a node cannot be predicted, or if its number of results is not
// known otherwise. With TorchRecords they are read for every value, and each node has its source line;
// torch_graph_check.cpp crosschecks that program.
#pragma once

#include <string>
#include <unordered_map>

#include "python/module/torch_records.h"
#include "python/module/torch_values.h"
#include "tracer/program/program.h"

namespace ersatz::python {

/// An input of the program: a placeholder, or an attribute of the module.
struct TorchInput {
  std::string name;
  nb::object value;  ///< its value; None: the value is `meta["val"]` of the node
  nb::object node;
};

struct TorchProgram {
  Program program;
  std::vector<TorchInput> inputs;                    ///< inputs of the main graph, in order
  std::vector<nb::object> nodes;                     ///< the torch.fx nodes, indexed by NodeId in the main graph
  std::vector<std::pair<std::string, Arg>> entries;  ///< name and value of each torch.fx node, in order
  /// Names of calls that are no operators and whose results are not used.
  std::vector<std::string> left_out;
  size_t listed = 0;  ///< number of torch.fx nodes without `output` nodes, nested graphs included

  /// Returns the value of the torch.fx node with this name; null if there is none. REQUIRES: the GIL is held.
  const Arg* place(const std::string& node) const;

 private:
  /// Name -> element of `entries`; filled on first use.
  mutable std::unordered_map<std::string_view, const Arg*> places_;
};

class TorchProgramReader {
 public:
  /// `records` gets the metadata of each value; null: they are not read.
  TorchProgramReader(const TorchLibrary& torch, const TorchFakes& fakes, TorchProgram& to,
                     TorchRecords* records = nullptr);

  /// Converts a graph. `given` has values of placeholders by name, and `module` has the attributes. RAISES
  /// NotSupported, with the name of the node, if a node is no operator call. With records, unused nodes are kept.
  void read(nb::handle graph, nb::handle module, const nb::dict& given);

 private:
  using Places = std::unordered_map<PyObject*, Arg>;
  struct Target {
    nb::object object;  ///< keeps the object alive, so that no other object gets its address
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
  std::string unused_graph_name(const std::string& wanted) const;

  const Target& target(nb::handle function, const std::string& node);
  Arg item(nb::handle fx, nb::handle args, const std::string& node, Graph& to);
  Arg argument(PyObject* o, const std::string& node);
  Arg list_argument(PyObject* sequence, const std::string& node);
  Arg results(Node& node, nb::handle fx, const std::string& name, Graph& to);
  Arg result(const std::string& name, Graph& to, ValueKind kind = ValueKind::Unknown);
  Arg result_list(size_t n, const std::string& name, Graph& to);
  size_t items_of(nb::handle fx) const;
  /// Stores the metadata in the value that `to` is, if there are records.
  void record(const Arg& to, nb::handle metadata, const std::string& node, Graph& graph);
  void record_all(const Arg& to, nb::handle metadata, const std::string& node, Graph& graph);  ///< items of a list too
  NameId source_of(nb::handle fx);
  ValueKind kind_of(nb::handle value) const;

  const TorchLibrary& torch_;
  TorchProgram& to_;
  Program& program_;
  TorchValues values_;
  TorchRecords* const records_;
  Places places_;
  std::unordered_map<PyObject*, Target> targets_;
  std::unordered_map<PyObject*, uint32_t> graphs_;  ///< index in Program::graphs by GraphModule
  std::unordered_map<PyObject*, NameId> sources_;   ///< by stack trace, which nodes share
  nb::object node_type_, getitem_, operator_, higher_order_, graph_module_;
};

/// Returns `meta["val"]` of a torch.fx node; None if it has none.
nb::object recorded_value(nb::handle fx_node);
/// Returns `model.py:17 in forward: h = relu(x)`, empty if the node has no stack trace.
std::string line_of(nb::handle fx_node);

}  // namespace ersatz::python
