// Operators of a live run without a rule in ersatz. Their fake kernels predict each call, once for calls with equal
// metadata; each call is compared with that prediction.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "tools/live/live_outcome.h"

namespace ersatz::tools {

/// A fake kernel's answer for a call.
struct FakeKernelAnswer {
  std::string record;    ///< the call's record with its member `fake`; empty: no prediction, for the reason in `why`
  std::string why;       ///< `no fake kernel: ...`, or the part of the answer that a record cannot hold
  bool by_data = false;  ///< a size depends on data, so the kernel is asked again after the call
};

/// The prediction for all calls with equal metadata.
struct OwnPrediction {
  /// Memory of a predicted result: the tensor argument that it is, the argument or the earlier result that it shares
  /// storage with. Each is -1 if there is none.
  struct Place {
    int is = -1, argument = -1, result = -1;
    bool operator==(const Place&) const = default;
  };
  std::optional<RecordedOutcome> outcome;  ///< nullopt: see `why` and `by_data`
  decltype(CallRecord::unknown) unknown;   ///< dims, by result, that the fake kernel leaves unknown
  std::string why;
  bool by_data = false;
  bool is_final = false;      ///< it was made after a call, so asking again would not improve it
  bool may_share = false;     ///< results that share memory as predicted were compared, and the schema allows it
  std::vector<Place> places;  ///< for each result that is a tensor
};

/// A prediction that equals the outcome of this call.
OwnPrediction prediction_of(const OpEntry& op, const AskedCall& call, const LiveOutcome& outcome);

class OwnOps {
 public:
  /// Asks an operator's fake kernel for the results of a record's call. `has_returned`: the record has the outcome too.
  /// The function never throws.
  std::function<FakeKernelAnswer(const std::string& record, bool has_returned)> ask;
  /// Runs the call on tensors of the meta device, which takes a tenth of the time. Returns nullopt if that is
  /// impossible or the fake kernel raises. The function never throws.
  std::function<std::optional<OwnPrediction>(const OpEntry& op, const AskedCall& call)> ask_on_meta;

  /// The entry of an operator with that schema, created on first use. Null if the schema cannot be parsed, or if it is
  /// PyTorch's and refused by name; `why` gets the reason.
  const OpEntry* entry(const std::string& name, const std::string& schema, std::string& why);
  bool has(const OpEntry* op) const { return op && ops_.contains(op); }
  /// The operator's schema; empty if it has no entry here.
  std::string schema_of(const OpEntry& op) const { return has(&op) ? ops_.at(&op).schema : std::string(); }

  /// Returns what the operator's fake kernel predicts for a call with these arguments. The reference is valid until the
  /// next call of this function.
  const OwnPrediction& prediction(const OpEntry& op, const AskedCall& call, std::span<const ErsatzValue> arguments,
                                  DType default_dtype);
  /// Asks the fake kernel for a call that is not made. The answer is not remembered.
  OwnPrediction asked(const OpEntry& op, CallRecord record) const { return predicted(op, std::move(record), false); }
  /// Asks the fake kernel again after the call, whose record has its outcome. The answer replaces the last result of
  /// `prediction`. If sizes depend on data, the answer is for this call only.
  OwnPrediction asked_again(const OpEntry& op, CallRecord record);
  /// Notes that judge_by_own_record found nothing in a call that matched the last prediction.
  void agreed(const OpEntry& op) { ops_.at(&op).predictions[key_].may_share = true; }
  /// True if the last prediction was remembered.
  bool was_known() const { return known_; }

 private:
  struct Own {
    std::string schema;
    std::unordered_map<std::string, OwnPrediction> predictions;  ///< by `key_`
  };
  OwnPrediction predicted(const OpEntry& op, CallRecord record, bool has_returned) const;
  void make_key(std::span<const ErsatzValue> arguments, DType default_dtype);
  void add_to_key(const ErsatzValue& value);

  std::deque<OpEntry> entries_;
  std::unordered_map<const OpEntry*, Own> ops_;
  std::map<std::string, const OpEntry*> by_name_;
  size_t remembered_ = 0;
  bool known_ = false;
  std::string key_;
  std::vector<std::pair<uint64_t, uint64_t>> seen_;  ///< storage and object of each tensor in the key
};

/// True if a call's results and arguments have exactly the predicted metadata and memory. If it is false,
/// judge_by_own_record finds out whether there is a difference. `is_written(i)`: the schema declares a write to tensor
/// argument i.
bool as_predicted(const OwnPrediction& said, const AskedCall& call, std::span<const ErsatzValue> results,
                  std::span<const ErsatzTensorMeta* const> after, const std::function<bool(size_t)>& is_written);

}  // namespace ersatz::tools
