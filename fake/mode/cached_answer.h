// The answer of one call, made independent of whose call it was: arguments are numbers, tensors are metadata.
//
// An answer is taken from what a rule said, or from the results of a call that had no rule, and applies to every call
// with the same key (fake/mode/cache_key.h). It holds no tensor and no storage. Immutable once made; any thread.
#pragma once

#include "runtime/op/dispatch.h"

namespace ersatz {

class FakeModeState;

/// What a call without a rule did to its arguments is found by looking at them before and after.
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
  // Null, with the reason, where the answer holds for this one call alone.
  /// Of a rule. To be called before the rule's outputs are made.
  static Ref<const CachedAnswer> of_rule(std::span<const Value> args, const RuleResult& rule, std::string_view& reason);
  /// Of a call without a rule, by its results.
  static Ref<const CachedAnswer> of_results(const ArgumentsBefore& before, std::span<const Value> results,
                                            std::string_view& reason);

  bool from_rule() const { return from_rule_; }
  /// What the rule would say of these arguments. REQUIRES: from_rule().
  void say(std::span<const Value> args, RuleResult& rule) const;
  /// The results of a call without a rule, made anew: fakes of `mode`. REQUIRES: !from_rule().
  void make_results(FakeModeState& mode, std::span<const Value> args, Values& results) const;

  /// Equal in every field and in the alias graph; storages of zero elements included.
  bool operator==(const CachedAnswer& o) const;
  /// `[f32[2,3]{3,1}+0@cpu, f32[2]{1}+0@cpu ~in0, in1]`
  std::string text() const;

 private:
  struct Output {
    OutputSpec::Kind kind = OutputSpec::Kind::Fresh;
    bool metadata_changed = false;
    bool unknown_layout = false;
    int argument = -1;       ///< of a View or Same output: which tensor argument
    int shares_result = -1;  ///< of a Fresh one without a rule: the earlier flat result on the same storage
    int64_t bytes = 0;       ///< of a Fresh one without a rule
    TensorMeta meta;
    Value number;
    bool operator==(const Output&) const = default;
  };
  Output of_tensor(const ArgumentsBefore& before, TensorImpl* result, std::span<TensorImpl* const> earlier) const;

  std::vector<Output> outputs_;  ///< flat
  std::vector<int> written_;     ///< tensor arguments whose versions move, schema-declared ones of rules left out
  std::vector<Value> shape_;     ///< of the results without a rule: None for each leaf
  bool from_rule_ = true;
};

}  // namespace ersatz
