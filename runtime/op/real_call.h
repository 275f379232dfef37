// One real call in its stages: plan, allocate, run, pack. Every real run goes through them:
//
//   runtime/op/dispatch.h            `run_real`: all four at once
//   fake/crosscheck/watched_call.h   in filled and guarded memory; again, where elements seem unwritten
//   fake/mode/propagated_call.h      planned from what the rule said of the fakes
//
// Q1  `plan` is the only stage that asks a rule; a caller that has the rule's answer for these arguments hands it in.
// Q2  Nothing is changed before `run`, but for arguments whose new metadata `allocate` sets (resize, in-place views).
// Q3  `run` may be repeated; versions move once, in `pack`.
// An object lives for one call, on one thread. Composite ops have no stages: `run_composite`.
#pragma once

#include "runtime/op/dispatch.h"

namespace ersatz {

class RealCall {
 public:
  /// Who makes the results.
  enum class Maker : uint8_t {
    Rule,          ///< its answer alone: views, arguments returned as they are, uninitialised or meta tensors
    FillKernel,    ///< a kernel writes into outputs that are made from the rule's answer
    ReturnKernel,  ///< a kernel makes them itself; of its rule nothing but the refusals and the writes count
  };

  RealCall(const OpEntry& op, std::span<const Value> args) : op_(op), args_(args) {}

  /// Asks the rule, where the call goes by it. A foreign op's rule stays out of a call whose kernel makes the results,
  /// so that the kernel is an independent witness. Raises what the rule raises.
  void plan();
  /// The same with the rule's answer for these arguments, which has been put into `rule()`. REQUIRES: a rule that
  /// `plan()` would have asked.
  void plan_as_answered();

  Maker maker() const { return maker_; }
  /// What was planned. May be changed before `allocate`, which takes the metadata out of it.
  RuleResult& rule() { return rule_; }
  /// Whose kernel serves the call: CUDA if a tensor among arguments and outputs is on CUDA, else meta if one is, else
  /// the CPU. Before `allocate`.
  DeviceType device() const;
  /// The device whose kernel the call would need and the op has not; empty where it can run. Before `allocate`.
  std::optional<DeviceType> missing_kernel() const;

  /// Makes the outputs that a kernel fills; those of Maker::Rule are made when they are packed. UnsupportedOperator
  /// where the op has neither a rule nor a kernel.
  void allocate();
  /// The same, those of Maker::Rule too, on storages from `make(nbytes, device)`.
  void allocate(const std::function<Ref<Storage>(int64_t, Device)>& make);
  std::span<Tensor> outputs() { return {outputs_.data(), outputs_.size()}; }

  DeviceType runs_on() const { return device_; }  ///< after `allocate`

  /// Gives written arguments bytes of their own where they share them with a lazy copy: before the first `run`.
  void prepare() { prepare_writes(op_, args_, rule_); }
  /// Runs the kernel, if there is one to run. Results that it makes itself are appended to `results`.
  void run(Values& results);
  /// Moves the versions of written arguments, and appends the results that no kernel has appended.
  void pack(Values& results);
  /// All that follows the plan, at once.
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
