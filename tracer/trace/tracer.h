// The mode that records calls.
//
// A call that reaches the tracer is passed on to the modes inside of it, and then written down: its arguments are the
// values that nodes and inputs have given, its results get values. What is written down of a tensor is its identity, so
// the tracer keeps none alive, and an argument that was written and returned is from then on what the call returned.
//
// Tracers nest: the innermost one hears of a call, those outside of it do not. Without a tracer active (NoTracing)
// calls run and are not recorded. One that records before autocast stands outside of it (ModeOrder::PreDispatchTracer).
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

/// Does the op answer what is known without its data, and nothing else? Such an answer is no node: a size becomes one
/// where it is used.
bool asks_only(const OpEntry& op);

/// While it lives, calls of this thread are not recorded; the other modes stay.
class NoTracing {
 private:
  SuspendModes before_dispatch_{ModeOrder::PreDispatchTracer}, after_{ModeOrder::Tracer};
};

class Tracer final : public Mode {
 public:
  /// `outside`: the settings under which the graph will run. REQUIRES: program, graph and options outlive the tracer.
  Tracer(Program& program, Graph& graph, const TraceOptions& options, const RegionState& outside);
  ~Tracer() override;

  ModeOrder order() const override { return options_.pre_dispatch ? ModeOrder::PreDispatchTracer : ModeOrder::Tracer; }
  std::string_view mode_name() const override { return "tracer"; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override;

  /// An input of the graph: a tensor, a number or another literal.
  void add_input(std::string_view name, const Value& actual);
  /// An output of the graph; lists become outputs of their leaves.
  void add_output(const Value& result);
  /// Of a functional trace, before the other outputs: what became of the inputs that the function has written.
  void add_mutations();
  /// Until another call of it, nodes come from this one of another program, a part of what that one came from.
  void stand_for(const Program& from, const Node& node);
  /// From now on `made` is known as what `of` is at this moment: autograd has made it on the memory of `of`.
  void know_as(const Tensor& made, const Tensor& of);
  /// Writes a node for the numbers that a query, or a function on numbers, has given, though nobody may use them; none
  /// where they are plain numbers.
  void keep_numbers(const OpEntry& query, std::span<const Value> args, std::span<const Value> results);
  void keep_numbers(std::string_view function, std::span<const Value> args, std::span<const Value> results);
  /// Call it after the function has run. Orders the graph's inputs: captured tensors first, then the function's own.
  void finish();

  /// The value that the trace knows a tensor as; kNone if it knows none.
  ValueId find(const TensorImpl* t) const;
  const TraceOptions& options() const { return options_; }

  // For the FunctionalState of a functional trace.

  /// Passes the call on and writes it down as it is.
  void record(const OpEntry& op, std::span<const Value> args, Values& results);
  /// Writes down `auto_functionalized_v2` of an op that writes: the call on copies of what it writes. Appends the op's
  /// results (None, if it has none) and the copies, in order of the arguments.
  void record_on_copies(const OpEntry& op, std::span<const Value> args, Values& results);
  /// From now on `other` is known as the value that `t` is.
  void track_as(const Tensor& other, const Tensor& t);

 private:
  void count(const char* what) const {
    if (options_.counters) ++(*options_.counters)[what];
  }
  void write_down(const OpEntry& op, std::span<const Value> args, Values& results);
  void write_down_higher_order(const HigherOrderOp& op, std::span<const Value> args, Values& results);
  /// Appends a node for a call with these arguments and results. `Function`: OpEntry, or the name of a function on
  /// numbers.
  template <class Function>
  void write_node(const Function& function, std::span<const Value> args, std::span<const Value> results);
  template <class Function>
  void write_numbers(const Function& function, std::span<const Value> args, std::span<const Value> results);
  uint32_t module_number(const ModulePlace* place);
  uint32_t begin_call(const OpEntry& op);
  /// The registered names of parameters and buffers, those of the outermost module whose forward runs; null: none runs.
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
  NumberMap tracked_;                                ///< the tensors' values, by identity
  NumberMap by_storage_;                             ///< the first value on a storage, by its id
  std::unordered_map<uint64_t, uint32_t> payloads_;  ///< of captured storages, by their id
  std::unordered_set<uint64_t> constant_storages_;   ///< hold what literals make, by id; of real tensors
  std::vector<GraphInput> given_, captured_;
  std::unique_ptr<FunctionalState> functional_;  ///< null: writes are recorded
  std::vector<Tensor> inputs_;                   ///< of a functional trace
  bool outputs_hold_writes_ = false;
  const OpEntry* expanding_ = nullptr;  ///< the op whose parts are being recorded
  int constants_ = 0, parameters_ = 0;
  const RegionState outside_;
  std::vector<RegionState> states_;                    ///< of the nodes, where they are recorded before dispatch
  std::unordered_map<uint32_t, uint32_t> call_count_;  ///< of operators, by number in the program
  uint64_t last_place_ = 0;                            ///< the module whose number is `last_module_`
  uint32_t last_module_ = kNone;
  std::unique_ptr<ModuleNames> names_;
  const void* names_of_ = nullptr;
};

/// The tracer that hears of this thread's calls; null: none does.
Tracer* current_tracer();

}  // namespace ersatz
