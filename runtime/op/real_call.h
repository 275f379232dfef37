// RealCall: one real call in four stages: plan, allocate, run, pack. Every real run uses them:
//
//   runtime/op/dispatch.h            `run_real`: all four at once
//   fake/crosscheck/watched_call.h   in filled and guarded memory; runs again if elements seem unwritten
//   fake/mode/propagated_call.h      plans with the rule's result for the fake arguments
//
// Q1  Only `plan` runs a rule. A caller that already has the rule's result for these arguments uses `plan_as_answered`.
// Q2  Nothing is changed before `run`, except arguments whose new metadata `allocate` sets (resize, in-place views).
// Q3  `run` may be repeated; `pack` increments version counters once.
// An object lives for one call, on one thread. Composite ops have no stages: `run_composite`.
#pragma once

#include "runtime/op/dispatch.h"

namespace ersatz {

class RealCall {
 public:
  /// The part of the op that makes the results.
  enum class Maker : uint8_t {
    Rule,          ///< the rule alone: views, arguments returned as they are, uninitialised or meta tensors
    FillKernel,    ///< a kernel writes into outputs that are made from the rule's result
    ReturnKernel,  ///< a kernel makes them; only the errors and the writes of the rule are used
  };

  RealCall(const OpEntry& op, std::span<const Value> args) : op_(op), args_(args) {}

  /// Runs the rule if the call uses it, and raises its errors. If a plugin's kernel makes the results, the plugin op's
  /// rule is not run, so the kernel's results are independent evidence.
  void plan();
  /// Like plan(), but the caller has stored the rule's result for these arguments in `rule()`. REQUIRES: `plan()` would
  /// run the rule.
  void plan_as_answered();

  Maker maker() const { return maker_; }
  /// The planned result. Callers may change it before `allocate`, which moves the metadata out of it.
  RuleResult& rule() { return rule_; }
  /// Returns the device whose kernel serves the call: CUDA if any argument or output is on CUDA, else meta if one is,
  /// else the CPU. Call before `allocate`.
  DeviceType device() const;
  /// Returns the device for which the op needs a kernel and has none; empty if the call can run. Call before
  /// `allocate`.
  std::optional<DeviceType> missing_kernel() const;

  /// Makes the outputs that a kernel fills; `pack` makes those of Maker::Rule. Raises UnsupportedOperator if the op has
  /// neither a rule nor a kernel.
  void allocate();
  /// Makes all outputs, those of Maker::Rule too, on storages that `make(nbytes, device)` returns.
  void allocate(const std::function<Ref<Storage>(int64_t, Device)>& make);
  std::span<Tensor> outputs() { return {outputs_.data(), outputs_.size()}; }

  DeviceType runs_on() const { return device_; }  ///< after `allocate`

  /// Call before the first `run`: gives written arguments bytes of their own if they share them with a lazy copy.
  void prepare() { prepare_writes(op_, args_, rule_); }
  /// Runs the kernel, if there is one. A ReturnKernel's results are appended to `results`.
  void run(Values& results);
  /// Increments the versions of written arguments and appends the results that the kernel has not appended.
  void pack(Values& results);
  /// Runs all stages after plan: allocate, prepare, run, pack.
  void run_all(Values& results);

 private:
  void choose_maker(bool can_return);
  void begin();
  void keep_inputs();

  const OpEntry& op_;
  std::span<const Value> args_;
  std::vector<Value> kept_;  ///< `args_`, where an output that gets other metadata is an input too
  Maker maker_ = Maker::Rule;
  DeviceType device_ = DeviceType::CPU;
  bool allocated_ = false;
  RuleResult rule_;
  OutputTensors outputs_;
};

}  // namespace ersatz
