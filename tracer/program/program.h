// A program: its graphs and everything to which they refer.
//
// Programs come from the loaders (tracer/pt2/program_file.h), the text parser, tracing, or the functions below. A
// program owns its names, symbols, literals, recorded metadata, nested graphs and weights. It is movable, not copyable.
// Several threads may read a finished program; weights load their bytes on first use (tracer/tensors/weights.h).
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

/// An operator that the program names; it may be unregistered.
struct ProgramOp {
  enum class Kind : uint8_t {
    Operator,     ///< `aten.add.Tensor`, `demo.top_pairs.default`
    SymFunction,  ///< on numbers: `_operator.add`, `torch.sym_max`, `math.trunc`
    HigherOrder,  ///< `higher_order.cond`
    Other         ///< an unknown extension
  };
  NameId name = 0;
  Kind kind = Kind::Other;
  const OpEntry* entry = nullptr;  ///< null: not registered
  /// The argument names of an unregistered operator, in order, if the program's file gave them. 0: no name.
  std::vector<NameId> formals = {};
};

/// The bounds of an expression over symbols, `4*s18` in [8, 256]. Bounds of a single symbol are in `env`.
struct RangeConstraint {
  SymInt expression;
  std::optional<int64_t> min, max;
};

/// A condition on symbols that a run decided. The program's records are valid where its conditions hold.
struct RecordedCondition {
  enum class Kind : uint8_t { Guard, Assert, Assumption };
  Kind kind = Kind::Guard;
  Guard decision;
};

/// Properties that a program printed for people does not record.
struct Untold {
  bool strides = false;    ///< recorded strides are row-major, whatever the tensor has
  bool offsets = false;    ///< recorded offsets are 0, whatever the tensor has
  bool dtypes = false;     ///< some results have only a recorded layout, so no dtype of a result is compared
  bool devices = false;    ///< some results have no recorded device, so no device is compared
  bool list_ends = false;  ///< a list result may be longer than the items that a node names
  bool operator==(const Untold&) const = default;
};

/// A call of a module: its path in the module tree and its type. Calls nest.
struct ModuleFrame {
  NameId path = 0;  ///< from the outermost module, whose path is empty: `layers.0.norm`
  NameId type = 0;
  uint32_t outer = kNone;  ///< Program::modules: the enclosing call
  bool operator==(const ModuleFrame&) const = default;
};

/// A user's call of an operator, which may have become several nodes: `linear_2` is the second call of `aten.linear`.
struct UserCall {
  uint32_t op = 0;  ///< Program::ops
  uint32_t number = 1;
};

class Program {
 public:
  Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  std::string producer;             ///< `torch 2.15.0, schema 8.20, ATEN`; only its version of PyTorch is read
  std::string function;             ///< the traced function or module; empty: unknown
  std::vector<std::string> steals;  ///< arguments whose lists a ProgramCall empties (tracer/run/program_call.h)
  Untold untold;
  std::shared_ptr<ShapeEnv> env;  ///< has the program's symbols; a mode that runs the program may share it
  std::vector<RangeConstraint> constraints;
  std::vector<RecordedCondition> conditions;
  std::vector<std::string> plugins;          ///< plugin libraries with the program's foreign ops
  std::vector<std::string> foreign_schemas;  ///< schemas of ops that only a plugin has
  NamePool names;
  std::vector<ProgramOp> ops;
  std::vector<Arg> args;  ///< the arena
  std::vector<ArgRange> lists;
  std::vector<Value> literals;
  std::vector<TensorMeta> metas;     ///< without duplicates
  std::vector<ModuleFrame> modules;  ///< without duplicates, each after its enclosing module
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
  /// Returns the recorded metadata of a tensor value, null if there is none.
  const TensorMeta* meta(const GraphValue& v) const {
    return v.kind == ValueKind::Tensor && v.record != kNone ? &metas[v.record] : nullptr;
  }

  /// Returns the index of the op with this name in any accepted spelling. Adds it and looks it up in the registry on
  /// first use.
  uint32_t add_op(std::string_view name);
  uint32_t add_meta(const TensorMeta& meta);      ///< equal metadata have one index
  uint32_t add_module(const ModuleFrame& frame);  ///< equal frames have one index
  Arg add_literal(Value value);
  /// Returns a List argument, or a literal list if all items are literals (G4).
  Arg add_list(std::span<const Arg> items);
  Arg add_dict(std::span<const Arg> items);
  /// Returns a `Tensor[]` result of a node, a List even without values (a call that raised, an empty split).
  Arg add_result_list(std::span<const Arg> values);
  ArgRange add_args(std::span<const Arg> items);
  ValueId add_value(Graph& graph, GraphValue value);

 private:
  struct Index;  ///< maps op names and metadata to their indices
  std::unique_ptr<Index> index_;
};

/// Returns the values among a node's results, in order. Items of a list follow each other; None gives kNone.
std::vector<ValueId> result_values(const Program& program, const Node& node);
/// Returns the values among a node's arguments, in lists too, with repetitions.
std::vector<ValueId> argument_values(const Program& program, const Node& node);

/// Returns the indices of the modules whose calls enclose the node, outermost first.
std::vector<uint32_t> module_stack(const Program& program, const Node& node);
/// Returns the user's call to which the node belongs, as `linear_2` and `aten.linear`; empty if none is recorded.
std::pair<std::string, std::string> user_call(const Program& program, const Node& node);

/// Returns whether the programs are equal in everything that the text form has. Symbols compare by spelling and
/// storages by bytes, which are read if the payloads differ. `why` receives the first difference.
bool same_program(const Program& a, const Program& b, std::string* why = nullptr);

std::string_view name(RecordedCondition::Kind k);  ///< `guard`, `assert`, `assumption`
std::string_view name(InputKind k);                ///< `parameter`, `buffer`, ...
std::string_view name(OutputKind k);               ///< `output`, `loss`, `buffer_mutation`, ...
std::string_view name(ValueKind k);                ///< `tensor`, `int`, ...
std::optional<InputKind> parse_input_kind(std::string_view text);

}  // namespace ersatz
