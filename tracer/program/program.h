// A program: its graphs and everything that they refer to.
//
// Programs come from the loaders (tracer/pt2/program_file.h), the text parser, tracing, or the functions below. A
// program owns its names, symbols, literals, recorded metadata, nested graphs and weights. It can be moved but not
// copied. Several threads may read a finished program; weights load their bytes on first use
// (tracer/tensors/weights.h).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/op/op_entry.h"
#include "runtime/sym/sym_expr.h"
#include "tracer/program/graph.h"
#include "tracer/tensors/weights.h"

namespace ersatz {

/// An operator that the program names. It need not be registered.
struct ProgramOp {
  enum class Kind : uint8_t {
    Operator,     ///< for example `aten.add.Tensor`, `demo.top_pairs.default`
    SymFunction,  ///< a function on numbers: `_operator.add`, `torch.sym_max`, `math.trunc`
    HigherOrder,  ///< for example `higher_order.cond`
    Other         ///< an unknown extension
  };
  NameId name = 0;
  Kind kind = Kind::Other;
  const OpEntry* entry = nullptr;  ///< null: the operator is not registered
  /// For an unregistered operator: its argument names in order, if the program's file gave them. 0: no name.
  std::vector<NameId> formals = {};
};

/// Declared bounds of an expression over symbols, for example `4*s18` in [8, 256]. Bounds of a single symbol are in
/// `env`.
struct RangeConstraint {
  SymInt expression;
  std::optional<int64_t> min, max;
};

/// A condition on symbols that an earlier run decided. The program's records are valid only for sizes that satisfy all
/// conditions.
struct RecordedCondition {
  enum class Kind : uint8_t { Guard, Assert, Assumption };
  Kind kind = Kind::Guard;
  Guard decision;
};

/// Properties that the text of a printed graph does not give, so that the records have a default for them.
struct Untold {
  bool strides = false;  ///< recorded strides are row-major, and may differ from the tensor's real strides
  bool offsets = false;  ///< recorded offsets are 0, and may differ from the tensor's real offsets
  /// Some results have a recorded layout without a dtype, so dtypes of results are not compared.
  bool dtypes = false;
  bool devices = false;    ///< some results have no recorded device, so devices are not compared
  bool list_ends = false;  ///< a list result may have more items than the node names
  bool operator==(const Untold&) const = default;
};

/// A call of a module: its path in the module tree, and its type. The calls form a tree.
struct ModuleFrame {
  NameId path = 0;  ///< for example `layers.0.norm`; empty for the outermost module
  NameId type = 0;
  uint32_t outer = kNone;  ///< index into Program::modules: the call around this one
  bool operator==(const ModuleFrame&) const = default;
};

/// An operator call in the user's code, which may have become several nodes. For example, `linear_2` is the second call
/// of `aten.linear`.
struct UserCall {
  uint32_t op = 0;  ///< index into Program::ops
  uint32_t number = 1;
};

class Program {
 public:
  Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  /// For example `torch 2.15.0, schema 8.20, ATEN`; only the version of PyTorch is used.
  std::string producer;
  std::string function;  ///< the function or module that was traced; empty: unknown
  /// Arguments whose lists a ProgramCall empties, to free memory (tracer/run/program_call.h).
  std::vector<std::string> steals;
  Untold untold;
  std::shared_ptr<ShapeEnv> env;  ///< the program's symbols; a mode that runs the program may share it
  std::vector<RangeConstraint> constraints;
  std::vector<RecordedCondition> conditions;
  std::vector<std::string> plugins;          ///< plugin libraries that have the program's custom ops
  std::vector<std::string> foreign_schemas;  ///< schemas of ops that only a plugin registers
  NamePool names;
  std::vector<ProgramOp> ops;
  std::vector<Arg> args;  ///< the arena of arguments and results
  std::vector<ArgRange> lists;
  std::vector<Value> literals;
  std::vector<TensorMeta> metas;     ///< metadata without duplicates
  std::vector<ModuleFrame> modules;  ///< calls of modules without duplicates, each after the call around it
  std::vector<UserCall> calls;
  std::vector<std::unique_ptr<Graph>> graphs;  ///< [0] is the main graph and always exists
  Weights weights;

  Graph& main() { return *graphs[0]; }
  const Graph& main() const { return *graphs[0]; }
  std::string_view name(NameId id) const { return names[id]; }
  std::span<const Arg> view(ArgRange r) const { return {args.data() + r.first, r.count}; }
  std::span<const Arg> list(const Arg& a) const { return view(lists[a.index]); }
  const Value& literal(const Arg& a) const { return literals[a.index]; }
  const ProgramOp& op(const Node& n) const { return ops[n.op]; }
  /// Returns the recorded metadata of a tensor; null if there are none.
  const TensorMeta* meta(const GraphValue& v) const {
    return v.kind == ValueKind::Tensor && v.record != kNone ? &metas[v.record] : nullptr;
  }

  /// Returns the index of the op with this name, in any accepted spelling. On first use it is added and looked up in
  /// the registry.
  uint32_t add_op(std::string_view name);
  uint32_t add_meta(const TensorMeta& meta);      ///< returns equal indices for equal metadata
  uint32_t add_module(const ModuleFrame& frame);  ///< returns equal indices for equal frames
  Arg add_literal(Value value);
  /// Returns a List argument or, if all items are literals, a literal list (G4).
  Arg add_list(std::span<const Arg> items);
  Arg add_dict(std::span<const Arg> items);
  /// Returns a `Tensor[]` result of a node. It is a List even if it has no values (the call raised, or split nothing).
  Arg add_result_list(std::span<const Arg> values);
  ArgRange add_args(std::span<const Arg> items);
  ValueId add_value(Graph& graph, GraphValue value);

 private:
  struct Index;  ///< maps op names and metadata to their indices
  std::unique_ptr<Index> index_;
};

/// Returns the values among a node's results, in order. The items of a list result follow each other. A result None
/// gives kNone.
std::vector<ValueId> result_values(const Program& program, const Node& node);
/// Returns the values among a node's arguments, including those in lists. A value may occur several times.
std::vector<ValueId> argument_values(const Program& program, const Node& node);

/// Returns the indices of the modules whose calls enclose the node, outermost first.
std::vector<uint32_t> module_stack(const Program& program, const Node& node);
/// Returns the user's call that the node comes from, as the pair `linear_2` and `aten.linear`; empty if none is
/// recorded.
std::pair<std::string, std::string> user_call(const Program& program, const Node& node);

/// Returns whether the programs are equal in everything that the text form has. Symbols are compared by their spelling,
/// storages by their bytes, which are read if needed. `why` gets the first difference.
bool same_program(const Program& a, const Program& b, std::string* why = nullptr);

std::string_view name(RecordedCondition::Kind k);  ///< `guard`, `assert`, `assumption`
std::string_view name(InputKind k);                ///< `parameter`, `buffer`, ...
std::string_view name(OutputKind k);               ///< `output`, `loss`, `buffer_mutation`, ...
std::string_view name(ValueKind k);                ///< `tensor`, `int`, ...
std::optional<InputKind> parse_input_kind(std::string_view text);

}  // namespace ersatz
