// A program: its graphs and everything they refer to.
//
// Made by the loaders (tracer/pt2/program_file.h), by the text parser, by tracing or by hand with the functions below.
// It owns its names, symbols, literals, recorded metadata, nested graphs and weights. Movable, not copyable. Reading it
// from several threads is safe once it is made; weights load their bytes on first use (tracer/tensors/weights.h).
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

/// An operator that the program names, known here or not.
struct ProgramOp {
  enum class Kind : uint8_t {
    Operator,     ///< `aten.add.Tensor`, `demo.top_pairs.default`
    SymFunction,  ///< on numbers: `_operator.add`, `torch.sym_max`, `math.trunc`
    HigherOrder,  ///< `higher_order.cond`
    Other         ///< an extension that is not known here
  };
  NameId name = 0;
  Kind kind = Kind::Other;
  const OpEntry* entry = nullptr;  ///< null: not registered
  /// What a file called the arguments of one that is not registered, by place; 0: nothing did.
  std::vector<NameId> formals = {};
};

/// The bounds of an expression over symbols that is not a bare symbol: `4*s18` in [8, 256].
struct RangeConstraint {
  SymInt expression;
  std::optional<int64_t> min, max;
};

/// What a run decided of the symbols: the program's records hold where its conditions do.
struct RecordedCondition {
  enum class Kind : uint8_t { Guard, Assert, Assumption };
  Kind kind = Kind::Guard;
  Guard decision;
};

/// What the records of a program that was printed for people leave open.
struct Untold {
  bool strides = false;    ///< recorded strides are row-major ones, whatever a tensor has
  bool offsets = false;    ///< recorded offsets are 0
  bool dtypes = false;     ///< of some results only the layout is recorded: no dtype of a result is compared
  bool devices = false;    ///< the same of devices
  bool list_ends = false;  ///< a list result may be longer than the values that a node names of it
  bool operator==(const Untold&) const = default;
};

/// A module that a node stands in, as it was called: its place in the tree of modules and its type. Calls nest.
struct ModuleFrame {
  NameId path = 0;  ///< from the outermost module, whose own is empty: `layers.0.norm`
  NameId type = 0;
  uint32_t outer = kNone;  ///< Program::modules
  bool operator==(const ModuleFrame&) const = default;
};

/// A call that a user of operators made, which may be several nodes: `linear_2` is the second one of `aten.linear`.
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

  std::string producer;             ///< for people: `torch 2.15.0, schema 8.20, ATEN`
  std::string function;             ///< the name of the function or module that it was traced from; empty: unknown
  std::vector<std::string> steals;  ///< arguments whose lists a ProgramCall empties (tracer/run/program_call.h)
  Untold untold;
  std::shared_ptr<ShapeEnv> env;  ///< of its symbols; a mode that runs it may hold it too
  std::vector<RangeConstraint> constraints;
  std::vector<RecordedCondition> conditions;
  std::vector<std::string> plugins;          ///< libraries that hold foreign ops
  std::vector<std::string> foreign_schemas;  ///< of ops that only a plugin knows
  NamePool names;
  std::vector<ProgramOp> ops;
  std::vector<Arg> args;  ///< the arena
  std::vector<ArgRange> lists;
  std::vector<Value> literals;
  std::vector<TensorMeta> metas;     ///< each once
  std::vector<ModuleFrame> modules;  ///< each once, behind the one that it stands in
  std::vector<UserCall> calls;
  std::vector<std::unique_ptr<Graph>> graphs;  ///< [0] is the main one, always there
  Weights weights;

  Graph& main() { return *graphs[0]; }
  const Graph& main() const { return *graphs[0]; }
  std::string_view name(NameId id) const { return names[id]; }
  std::span<const Arg> view(ArgRange r) const { return {args.data() + r.first, r.count}; }
  std::span<const Arg> list(const Arg& a) const { return view(lists[a.index]); }
  const Value& literal(const Arg& a) const { return literals[a.index]; }
  const ProgramOp& op(const Node& n) const { return ops[n.op]; }
  /// The recorded metadata of a tensor value; null if there is none.
  const TensorMeta* meta(const GraphValue& v) const {
    return v.kind == ValueKind::Tensor && v.record != kNone ? &metas[v.record] : nullptr;
  }

  /// Number of the op of that name, any accepted spelling; made and looked up in the registry on first use.
  uint32_t add_op(std::string_view name);
  uint32_t add_meta(const TensorMeta& meta);      ///< the same number for equal metadata
  uint32_t add_module(const ModuleFrame& frame);  ///< the same number for an equal frame
  Arg add_literal(Value value);
  /// A list or, where all items are literals, the literal list of them (G4).
  Arg add_list(std::span<const Arg> items);
  Arg add_dict(std::span<const Arg> items);
  /// A `Tensor[]` result of a node: always a List, of no value too (a call that raised, an empty split).
  Arg add_result_list(std::span<const Arg> values);
  ArgRange add_args(std::span<const Arg> items);
  ValueId add_value(Graph& graph, GraphValue value);

 private:
  struct Index;  ///< from op names and metadata to their numbers
  std::unique_ptr<Index> index_;
};

/// The flat values among a node's results, in order (items of a list follow each other; None gives kNone).
std::vector<ValueId> result_values(const Program& program, const Node& node);
/// The graph values among a node's arguments, those in lists too, as often as they stand there.
std::vector<ValueId> argument_values(const Program& program, const Node& node);

/// The modules that a node stands in, outermost first, by number.
std::vector<uint32_t> module_stack(const Program& program, const Node& node);
/// The user's call that a node is a part of, as `linear_2` and `aten.linear`; empty where none is recorded.
std::pair<std::string, std::string> user_call(const Program& program, const Node& node);

/// Equal in everything that the text form holds; symbols compare by their spelling, storages by their bytes (which are
/// read where they lie at different places). `why` names the first difference.
bool same_program(const Program& a, const Program& b, std::string* why = nullptr);

std::string_view name(RecordedCondition::Kind k);  ///< `guard`, `assert`, `assumption`
std::string_view name(InputKind k);                ///< `parameter`, `buffer`, ...
std::string_view name(OutputKind k);               ///< `output`, `loss`, `buffer_mutation`, ...
std::string_view name(ValueKind k);                ///< `tensor`, `int`, ...
std::optional<InputKind> parse_input_kind(std::string_view text);

}  // namespace ersatz
