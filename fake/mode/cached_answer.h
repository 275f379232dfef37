// The cached results of one call. They refer to arguments by number and describe tensors by metadata, so they apply to
// other tensors too.
//
// A CachedAnswer is made from a rule's result, or from the results of a call without a rule. It applies to each call
// with an equal key (fake/mode/cache_key.h). It references no tensor and no storage. It is immutable, so any thread may
// use it.
#pragma once

#include "runtime/op/dispatch.h"

namespace ersatz {

class FakeModeState;

/// The state of the arguments before a call without a rule. Comparing it with their state after the call shows the
/// call's changes to them.
class ArgumentsBefore {
 public:
  explicit ArgumentsBefore(std::span<const Value> args);

 private:
  friend class CachedAnswer;
  struct State {
    TensorImpl* tensor;
    TensorMeta meta;
    Ref<Storage> storage;
    SymInt bytes;
    uint32_t version;
  };
  std::vector<State> states_;
};

class CachedAnswer final : public RefCounted {
 public:
  // `of_rule` and `of_results` return null, and set `reason`, if the results apply only to this one call.
  /// Caches a rule's result. Must be called before the results are made from it.
  static Ref<const CachedAnswer> of_rule(std::span<const Value> args, const RuleResult& rule, std::string_view& reason);
  /// Caches the results of a call without a rule.
  static Ref<const CachedAnswer> of_results(const ArgumentsBefore& before, std::span<const Value> results,
                                            std::string_view& reason);

  bool from_rule() const { return from_rule_; }
  /// Sets `rule` to the result that the op's rule would have for these arguments. REQUIRES: from_rule().
  void say(std::span<const Value> args, RuleResult& rule) const;
  /// Makes new fakes of `mode` as the results of a call without a rule. REQUIRES: !from_rule().
  void make_results(FakeModeState& mode, std::span<const Value> args, Values& results) const;

  /// Returns whether all fields and the shared storages are equal. Shared storages without elements are compared too.
  bool operator==(const CachedAnswer& o) const;
  /// Returns the results as text: `[f32[2,3]{3,1}+0@cpu, f32[2]{1}+0@cpu ~in0, in1]`.
  std::string text() const;

 private:
  struct Output {
    OutputSpec::Kind kind = OutputSpec::Kind::Fresh;
    bool metadata_changed = false;
    bool unknown_layout = false;
    int argument = -1;       ///< for View and Same: the index of the tensor argument
    int shares_result = -1;  ///< for Fresh without a rule: index of the earlier result on the same storage; -1: none
    int64_t bytes = 0;       ///< for Fresh without a rule: the bytes of the storage
    TensorMeta meta;
    Value number;
    bool operator==(const Output&) const = default;
  };
  Output of_tensor(const ArgumentsBefore& before, TensorImpl* result, std::span<TensorImpl* const> earlier) const;

  std::vector<Output> outputs_;  ///< one per result, including elements of lists
  std::vector<int> written_;     ///< tensor arguments whose versions increase, except those that the schema marks as
                                 ///< written
  std::vector<Value> shape_;     ///< the nesting of the results of a call without a rule, with None for each tensor or
                                 ///< number
  bool from_rule_ = true;
};

}  // namespace ersatz
