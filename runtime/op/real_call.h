// RealCall: one real operator call in four stages: plan, allocate, run, pack. Each real run uses these stages:
//
//   runtime/op/dispatch.h            `run_real`: all four at once
//   fake/crosscheck/watched_call.h   in filled and guarded memory; runs again if elements seem unwritten
//   fake/mode/propagated_call.h      plans with the rule's result for the fake arguments
//
// Q1  Only `plan` runs a rule. If the caller already has the rule's result for these arguments, it calls
//     `plan_as_answered`.
// Q2  Before `run`, nothing is changed except arguments to which `allocate` gives new metadata (resize, in-place
//     views).
// Q3  `run` may be repeated. `pack` increments version counters once.
// A RealCall belongs to one call and one thread. Composite ops have no stages: they use `run_composite`.
#pragma once

#include "runtime/op/dispatch.h"

namespace ersatz {

class RealCall {
 public:
  /// The part of the op that makes the results.
  enum class Maker : uint8_t {
    Rule,        ///< the rule alone: views, arguments returned as they are, uninitialised or meta tensors
    FillKernel,  ///< a kernel writes into outputs that are made from the rule's result
    /// a kernel makes the results; the rule is used only for its errors and for the arguments that it says are written
    ReturnKernel,
  };

  RealCall(const OpEntry& op, std::span<const Value> args) : op_(op), args_(args) {}

  /// Runs the op's rule and raises its errors. If a plugin's kernel makes the results, the plugin's rule is not run, so
  /// that the kernel's results are independent evidence.
  void plan();
  /// Like plan(), but the caller has stored the rule's result for these arguments in `rule()`. REQUIRES: `plan()` would
  /// run the rule.
  void plan_as_answered();

  Maker maker() const { return maker_; }
  /// The rule's result. Callers may change it before `allocate`, which moves the metadata out of it.
  RuleResult& rule() { return rule_; }
  /// Returns the device whose kernel runs the call: CUDA if any argument or output is on CUDA, else meta if any is on
  /// meta, else the CPU. REQUIRES: `allocate` was not called yet.
  DeviceType device() const;
  /// Returns the device for which the op needs a kernel and has none; nullopt if the call can run. REQUIRES: `allocate`
  /// was not called yet.
  std::optional<DeviceType> missing_kernel() const;

  /// Allocates the outputs for a FillKernel; `pack` makes the outputs of Maker::Rule. Raises UnsupportedOperator if the
  /// op has neither a rule nor a kernel.
  void allocate();
  /// Allocates all outputs, those of Maker::Rule too, in storages that `make(nbytes, device)` returns.
  void allocate(const std::function<Ref<Storage>(int64_t, Device)>& make);
  std::span<Tensor> outputs() { return {outputs_.data(), outputs_.size()}; }

  DeviceType runs_on() const { return device_; }  ///< the device of the kernel; REQUIRES: `allocate` was called

  /// Call before the first `run`. A written argument that shares its bytes with a lazy copy gets bytes of its own.
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
  /// replaces `args_` if a resized output is also an input: the copy has the input's old metadata
  std::vector<Value> kept_;
  Maker maker_ = Maker::Rule;
  DeviceType device_ = DeviceType::CPU;
  bool allocated_ = false;
  RuleResult rule_;
  OutputTensors outputs_;
};

}  // namespace ersatz
