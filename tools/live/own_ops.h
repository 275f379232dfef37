// Operators of a live run for which ersatz has no rule. Their fake kernels predict each call, once for all calls with
// equal metadata. Each call is compared with the prediction.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "tools/live/live_outcome.h"

namespace ersatz::tools {

/// The answer of a fake kernel for a call.
struct FakeKernelAnswer {
  /// The call's record with its member `fake`; empty if there is no prediction, and `why` has the reason.
  std::string record;
  std::string why;       ///< `no fake kernel: ...`, or the part of the answer that a record cannot hold
  bool by_data = false;  ///< a size depends on data, so the fake kernel is asked again after the call
};

/// The prediction for all calls of an operator with equal metadata.
struct OwnPrediction {
  /// Describes the memory of a predicted result: the tensor argument that the result itself is, and the argument or
  /// earlier result that it shares storage with. A member is -1 if there is none.
  struct Place {
    int is = -1, argument = -1, result = -1;
    bool operator==(const Place&) const = default;
  };
  std::optional<RecordedOutcome> outcome;  ///< nullopt if there is no prediction; `why` and `by_data` say why
  decltype(CallRecord::unknown) unknown;   ///< for each result, the dims whose size the fake kernel leaves unknown
  std::string why;
  bool by_data = false;
  bool is_final = false;      ///< the prediction was made after a call, so that asking again would not improve it
  bool may_share = false;     ///< a call with this sharing of memory was compared, and the schema allows the sharing
  std::vector<Place> places;  ///< for each result that is a tensor
};

/// Makes the prediction that agrees with the outcome of this call.
OwnPrediction prediction_of(const OpEntry& op, const AskedCall& call, const LiveOutcome& outcome);

class OwnOps {
 public:
  /// Asks an operator's fake kernel for the results of a recorded call. `has_returned`: the record has the outcome too.
  /// The function never throws.
  std::function<FakeKernelAnswer(const std::string& record, bool has_returned)> ask;
  /// Runs the call on tensors of the meta device, which takes a tenth of the fake kernel's time. Returns nullopt if
  /// that is impossible or the call raises. The function never throws.
  std::function<std::optional<OwnPrediction>(const OpEntry& op, const AskedCall& call)> ask_on_meta;

  /// Returns an entry for an operator with that schema, made on first use. Null if the schema cannot be parsed, or if
  /// it is an operator of PyTorch that ersatz refuses by name; `why` gets the reason.
  const OpEntry* entry(const std::string& name, const std::string& schema, std::string& why);
  bool has(const OpEntry* op) const { return op && ops_.contains(op); }
  /// Returns the operator's schema; empty if the operator has no entry here.
  std::string schema_of(const OpEntry& op) const { return has(&op) ? ops_.at(&op).schema : std::string(); }

  /// Returns the fake kernel's prediction for a call with these arguments. The reference is valid until `prediction` is
  /// called again.
  const OwnPrediction& prediction(const OpEntry& op, const AskedCall& call, std::span<const ErsatzValue> arguments,
                                  DType default_dtype);
  /// Asks the fake kernel about a recorded call that does not run. The answer is not remembered.
  OwnPrediction asked(const OpEntry& op, CallRecord record) const { return predicted(op, std::move(record), false); }
  /// Asks the fake kernel again after the call. REQUIRES: the record has the call's outcome. The answer replaces the
  /// prediction that `prediction` returned last. If sizes depend on data, the answer is for this call only.
  OwnPrediction asked_again(const OpEntry& op, CallRecord record);
  /// Notes that judge_by_own_record found no difference in a call that matched the last prediction.
  void agreed(const OpEntry& op) { ops_.at(&op).predictions[key_].may_share = true; }
  /// True if the last prediction was made for an earlier call.
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
  std::vector<std::pair<uint64_t, uint64_t>> seen_;  ///< for each tensor in `key_`: ids of its storage and object
};

/// True if a call's results and arguments have exactly the predicted metadata and memory. If not, judge_by_own_record
/// has to decide whether there is a difference that matters. `is_written(i)`: the schema declares a write to tensor
/// argument i.
bool as_predicted(const OwnPrediction& said, const AskedCall& call, std::span<const ErsatzValue> results,
                  std::span<const ErsatzTensorMeta* const> after, const std::function<bool(size_t)>& is_written);

}  // namespace ersatz::tools
