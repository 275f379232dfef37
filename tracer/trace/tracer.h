// The mode that records calls as nodes.
//
// The tracer passes each call on to the inner modes and then records it. Arguments of a call are values of nodes and
// inputs, and its results become values. The tracer stores only the identity of a tensor, so it keeps no tensor alive.
// If a call writes an argument and returns it, the argument is the call's result from then on.
//
// Tracers nest: only the innermost one records a call. While no tracer is active (NoTracing), calls run and are not
// recorded. A tracer that records calls before autocast changes them has the order ModeOrder::PreDispatchTracer.
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "runtime/op/mode.h"
#include "tracer/program/number_map.h"
#include "tracer/trace/functional.h"
#include "tracer/trace/regions.h"
#include "tracer/trace/sym_nodes.h"
#include "tracer/trace/trace.h"

namespace ersatz {

class HigherOrderOp;
class ModuleNames;
struct ModulePlace;

/// Returns whether the op only returns facts that are known without a tensor's data. Its calls become no nodes. If it
/// returns a size, a node is added when a call uses the size.
bool asks_only(const OpEntry& op);

/// While a NoTracing exists, calls of this thread are not recorded. Other modes stay active.
class NoTracing {
 private:
  SuspendModes before_dispatch_{ModeOrder::PreDispatchTracer}, after_{ModeOrder::Tracer};
};

class Tracer final : public Mode {
 public:
  /// `outside` has the settings under which the graph will run. REQUIRES: program, graph and options outlive the
  /// tracer.
  Tracer(Program& program, Graph& graph, const TraceOptions& options, const RegionState& outside);
  ~Tracer() override;

  ModeOrder order() const override { return options_.pre_dispatch ? ModeOrder::PreDispatchTracer : ModeOrder::Tracer; }
  std::string_view mode_name() const override { return "tracer"; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override;

  /// Adds an input of the graph: a tensor, a number or another literal.
  void add_input(std::string_view name, const Value& actual);
  /// Adds an output of the graph. A list becomes one output for each leaf.
  void add_output(const Value& result);
  /// In a functional trace: adds the final values of written inputs as outputs. REQUIRES: the graph has no outputs yet.
  void add_mutations();
  /// From now on, new nodes get the origin of `node` in the program `from`.
  void stand_for(const Program& from, const Node& node);
  /// From now on, `made` has the current value of `of` in the trace. Autograd has made `made` on the memory of `of`.
  void know_as(const Tensor& made, const Tensor& of);
  /// Adds a node for the numbers that a query or a function on numbers returned, even if nothing uses them. If they are
  /// plain numbers, adds none.
  void keep_numbers(const OpEntry& query, std::span<const Value> args, std::span<const Value> results);
  void keep_numbers(std::string_view function, std::span<const Value> args, std::span<const Value> results);
  /// Must be called after the function has run. Orders the graph's inputs: captured tensors first, then the function's
  /// arguments.
  void finish();

  /// Returns the graph value of a tensor; kNone if it has none.
  ValueId find(const TensorImpl* t) const;
  const TraceOptions& options() const { return options_; }

  // For the FunctionalState of a functional trace.

  /// Passes the call on, and records it as it is.
  void record(const OpEntry& op, std::span<const Value> args, Values& results);
  /// Records an op that writes as a call on copies of the written arguments (`auto_functionalized_v2`). Appends the
  /// op's results (None if it has none), and the copies in the order of the arguments.
  void record_on_copies(const OpEntry& op, std::span<const Value> args, Values& results);
  /// From now on, `other` has the graph value of `t`.
  void track_as(const Tensor& other, const Tensor& t);

 private:
  void count(const char* what) const {
    if (options_.counters) ++(*options_.counters)[what];
  }
  void write_down(const OpEntry& op, std::span<const Value> args, Values& results);
  void write_down_higher_order(const HigherOrderOp& op, std::span<const Value> args, Values& results);
  /// Adds a node for a call with these arguments and results. `Function` is OpEntry, or the name of a function on
  /// numbers.
  template <class Function>
  void write_node(const Function& function, std::span<const Value> args, std::span<const Value> results);
  template <class Function>
  void write_numbers(const Function& function, std::span<const Value> args, std::span<const Value> results);
  uint32_t module_number(const ModulePlace* place);
  uint32_t begin_call(const OpEntry& op);
  /// Returns the registered names in the module tree whose outermost forward is running; null if none is.
  const ModuleNames* names_at_hand();
  bool expand(const OpEntry& op, std::span<const Value> args, Values& results);
  std::vector<Value> written_as_fakes(const OpEntry& op, std::span<const Value> args);
  void read_value(const OpEntry& op, std::span<const Value> args, Values& results);
  void record_higher_order(const HigherOrderOp& op, std::span<const Value> args, Values& results);
  void track(std::span<const Value> results, std::span<const ValueId> values);
  static void pass_on(const OpEntry& op, std::span<const Value> args, Values& results);
  Arg argument(const Value& v);
  ValueId value_of(const TensorImpl* t);
  ValueId capture(const Tensor& t);
  void track(const Value& result, ValueId value);
  bool is_constant(std::span<const Value> args) const;
  void note_constants(const OpEntry& op, std::span<const Value> args, std::span<const Value> results,
                      bool were_constant);

  const TraceOptions& options_;
  NodeWriter writer_;
  SymNodes symbols_;
  NumberMap tracked_;                                ///< identity of a tensor -> its graph value
  NumberMap by_storage_;                             ///< id of a storage -> the first graph value on it
  std::unordered_map<uint64_t, uint32_t> payloads_;  ///< id of a captured storage -> its payload
  std::unordered_set<uint64_t> constant_storages_;   ///< ids of real storages whose data come from literals only
  std::vector<GraphInput> given_, captured_;
  std::unique_ptr<FunctionalState> functional_;  ///< null if the trace records writes
  std::vector<Tensor> inputs_;                   ///< the function's input tensors, in a functional trace
  bool outputs_hold_writes_ = false;
  const OpEntry* expanding_ = nullptr;  ///< the op that is being decomposed now
  int constants_ = 0, parameters_ = 0;
  const RegionState outside_;
  std::vector<RegionState> states_;  ///< in a trace before dispatch: one for each node
  /// Number of calls of each operator, by its index in the program.
  std::unordered_map<uint32_t, uint32_t> call_count_;
  uint64_t last_place_ = 0;  ///< place of the module with index `last_module_`
  uint32_t last_module_ = kNone;
  std::unique_ptr<ModuleNames> names_;
  const void* names_of_ = nullptr;
};

/// Returns the tracer that records the calls of this thread; null if none does.
Tracer* current_tracer();

}  // namespace ersatz
