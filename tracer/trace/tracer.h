// The mode that records calls.
//
// The tracer passes each call on to the inner modes and then records it. Its arguments are values that nodes and inputs
// gave, and its results get values. The tracer stores the identity of a tensor, so it keeps none alive. An argument
// that a call writes and returns is from then on the call's result.
//
// Tracers nest: only the innermost one records a call. While no tracer is active (NoTracing), calls run and are not
// recorded. A tracer that records before autocast is outside of it (ModeOrder::PreDispatchTracer).
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

/// Returns whether the op only returns facts that are known without tensor data. Its calls become no nodes; a size
/// becomes a node when it is used.
bool asks_only(const OpEntry& op);

/// While it lives, calls of this thread are not recorded. Other modes stay active.
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
  /// Adds an output of the graph; a list becomes one output per leaf.
  void add_output(const Value& result);
  /// In a functional trace, adds the final values of written inputs as outputs. REQUIRES: no other output is there yet.
  void add_mutations();
  /// Until the next call of this function, new nodes inherit the origin of `node` of the program `from`.
  void stand_for(const Program& from, const Node& node);
  /// From now on `made` is known as the current value of `of`. Autograd made `made` on the memory of `of`.
  void know_as(const Tensor& made, const Tensor& of);
  /// Writes a node for the numbers that a query or a function on numbers returned, used or not. Writes none if they are
  /// plain numbers.
  void keep_numbers(const OpEntry& query, std::span<const Value> args, std::span<const Value> results);
  void keep_numbers(std::string_view function, std::span<const Value> args, std::span<const Value> results);
  /// Call it after the function has run. Orders the graph's inputs: captured tensors first, then the function's
  /// arguments.
  void finish();

  /// Returns the value of the tensor in the trace, kNone if it has none.
  ValueId find(const TensorImpl* t) const;
  const TraceOptions& options() const { return options_; }

  // Used by the FunctionalState of a functional trace.

  /// Passes the call on and records it unchanged.
  void record(const OpEntry& op, std::span<const Value> args, Values& results);
  /// Records `auto_functionalized_v2` of an op that writes: a call on copies of the written arguments. Appends the op's
  /// results (None, if it has none) and the copies, in order of the arguments.
  void record_on_copies(const OpEntry& op, std::span<const Value> args, Values& results);
  /// From now on `other` has the same value as `t`.
  void track_as(const Tensor& other, const Tensor& t);

 private:
  void count(const char* what) const {
    if (options_.counters) ++(*options_.counters)[what];
  }
  void write_down(const OpEntry& op, std::span<const Value> args, Values& results);
  void write_down_higher_order(const HigherOrderOp& op, std::span<const Value> args, Values& results);
  /// Appends a node for a call with these arguments and results. `Function` is OpEntry, or the name of a function on
  /// numbers.
  template <class Function>
  void write_node(const Function& function, std::span<const Value> args, std::span<const Value> results);
  template <class Function>
  void write_numbers(const Function& function, std::span<const Value> args, std::span<const Value> results);
  uint32_t module_number(const ModulePlace* place);
  uint32_t begin_call(const OpEntry& op);
  /// Returns the registered names in the module tree whose outermost forward runs, null if none runs.
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
  NumberMap tracked_;                                ///< tensors' values, by identity
  NumberMap by_storage_;                             ///< first value on each storage, by id
  std::unordered_map<uint64_t, uint32_t> payloads_;  ///< of captured storages, by id
  std::unordered_set<uint64_t> constant_storages_;   ///< ids of real storages whose data come only from literals
  std::vector<GraphInput> given_, captured_;
  std::unique_ptr<FunctionalState> functional_;  ///< null: writes are recorded
  std::vector<Tensor> inputs_;                   ///< in a functional trace
  bool outputs_hold_writes_ = false;
  const OpEntry* expanding_ = nullptr;  ///< the op that is being decomposed
  int constants_ = 0, parameters_ = 0;
  const RegionState outside_;
  std::vector<RegionState> states_;                    ///< one per node, in a trace before dispatch
  std::unordered_map<uint32_t, uint32_t> call_count_;  ///< by operator index in the program
  uint64_t last_place_ = 0;                            ///< place of the module with the index `last_module_`
  uint32_t last_module_ = kNone;
  std::unique_ptr<ModuleNames> names_;
  const void* names_of_ = nullptr;
};

/// Returns the tracer that records this thread's calls, null if none does.
Tracer* current_tracer();

}  // namespace ersatz
