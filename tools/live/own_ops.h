// Operators of a live run that ersatz has no rule of: what their authors' fake kernels predict of a call, asked once
// for calls of equal metadata, and whether a call did that.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "tools/live/live_outcome.h"

namespace ersatz::tools {

/// What a fake kernel says of a call.
struct FakeKernelAnswer {
  std::string record;  ///< the call's record with its member `fake`; empty: there is no prediction, and `why` says why
  std::string why;     ///< `no fake kernel: ...`, or what of the answer no record holds
  bool by_data = false;  ///< a size of it follows from data: it is asked again when the call has returned
};

/// What was predicted for all calls of one metadata.
struct OwnPrediction {
  /// Where the memory of a predicted result lies: a tensor argument that it is, one whose storage it has, an earlier
  /// result whose storage it has; -1 each.
  struct Place {
    int is = -1, argument = -1, result = -1;
    bool operator==(const Place&) const = default;
  };
  std::optional<RecordedOutcome> outcome;  ///< empty: see `why` and `by_data`
  decltype(CallRecord::unknown) unknown;   ///< dims, by result, that the fake kernel says it does not know
  std::string why;
  bool by_data = false;
  bool is_final = false;      ///< it was asked for behind a call: nothing better is known
  bool may_share = false;     ///< a judge has seen results that share memory as predicted, and the schema allows it
  std::vector<Place> places;  ///< of each result that is a tensor
};

/// The prediction that a call of these arguments ends as this one did.
OwnPrediction prediction_of(const OpEntry& op, const AskedCall& call, const LiveOutcome& outcome);

class OwnOps {
 public:
  /// Asks an operator's fake kernel what the call of a record returns. `has_returned`: the record has the outcome of
  /// the call too. The function never throws.
  std::function<FakeKernelAnswer(const std::string& record, bool has_returned)> ask;
  /// Makes the call on tensors of the meta device, which takes a tenth of the time. Empty: that cannot be done, or the
  /// fake kernel raises there. The function never throws.
  std::function<std::optional<OwnPrediction>(const OpEntry& op, const AskedCall& call)> ask_on_meta;

  /// The entry of an operator with that schema in PyTorch's language, made when it is first asked for. Null where its
  /// schema cannot be read, or where it is PyTorch's and refused by name; `why` says which.
  const OpEntry* entry(const std::string& name, const std::string& schema, std::string& why);
  bool has(const OpEntry* op) const { return op && ops_.contains(op); }
  /// Empty: the operator is none of these.
  std::string schema_of(const OpEntry& op) const { return has(&op) ? ops_.at(&op).schema : std::string(); }

  /// Returns what the operator's fake kernel predicts for a call with these arguments. The reference is valid until the
  /// next call of this function.
  const OwnPrediction& prediction(const OpEntry& op, const AskedCall& call, std::span<const ErsatzValue> arguments,
                                  DType default_dtype);
  /// Asks the fake kernel of a call that nobody makes; nothing is remembered.
  OwnPrediction asked(const OpEntry& op, CallRecord record) const { return predicted(op, std::move(record), false); }
  /// Asks the fake kernel again after the call, whose record has its outcome. The answer replaces the prediction that
  /// `prediction` returned last, except where sizes depend on data: it is then about this call alone.
  OwnPrediction asked_again(const OpEntry& op, CallRecord record);
  /// Notes that judge_by_own_record found nothing in a call that matched the last prediction.
  void agreed(const OpEntry& op) { ops_.at(&op).predictions[key_].may_share = true; }
  /// Was the last prediction remembered?
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

/// Returns whether a call's results and arguments have exactly the predicted metadata and memory. False does not mean
/// that something is wrong: judge_by_own_record decides then.
/// `is_declared(i)`: the schema says that tensor argument i is written.
bool as_predicted(const OwnPrediction& said, const AskedCall& call, std::span<const ErsatzValue> results,
                  std::span<const ErsatzTensorMeta* const> after, const std::function<bool(size_t)>& is_written);

}  // namespace ersatz::tools
