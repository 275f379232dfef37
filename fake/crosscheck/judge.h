// The judges of a checked call: functions that compare its prediction with the observed results and with outside
// evidence (Testimony), and add findings to a Judgement.
//
// They read the CallCase and change only the Judgement. The functions of the next group first choose the evidence that
// applies.
#pragma once

#include "fake/crosscheck/judgement.h"

namespace ersatz {

// Testimony (testimony.cpp).
/// Returns the metadata that decide about a result whose kernel is no source: the eager fact's, else the record's
/// unless it is known to be wrong. Sets `witness` to the source. Null: there is neither.
const TensorMeta* outside_truth(const ResultFacts& facts, Witness& witness);

/// Returns the strongest outside source that has results of the call; then the call succeeded in that source. None if
/// there is no source.
Witness outside_witness(const CallCase& c);
/// For a call whose results' metadata depend on values: removes facts of runs on other values, and numbers that come
/// only from a record's hint.
void settle_data(CallCase& c, bool by_data);
/// Fills in strides or offsets that a record does not have, from the prediction.
void complete_records(CallCase& c);
/// Marks results that differ from the evidence only because the arguments adopted the observed metadata of an earlier
/// finding. With the arguments as the rules predict them, such a result equals the evidence.
void note_follow_ups(const CallCase& c, Judgement& j);
/// For a call on another device: removes records of a CPU run if the rule's result for the CPU equals the record.
void drop_records_of_cpu(CallCase& c, Judgement& j);

/// The comparisons that are still to be made after judge_errors.
enum class ErrorsSay : uint8_t {
  Nothing,          ///< neither side raised an error
  CallIsJudged,     ///< at least one side has no results, and all findings have been added
  ResultsAreThere,  ///< every side that is to be compared has results
  NoKernel          ///< the real side has no kernel: only the prediction is compared
};
/// Does the error say that an operator or a kernel is missing, rather than that the call is wrong?
bool lacks_support(const Error& e);
/// Does the error say that ersatz has no model of the call? Then it contradicts neither a result nor an error of eager.
bool is_not_modelled(const Error& e);
ErrorsSay judge_errors(const CallCase& c, Judgement& j);
/// Compares metadata, numbers and flags.
void judge_results(const CallCase& c, Judgement& j);
/// Compares which results and arguments share storage: with the other side, with facts and with the schema.
void judge_aliases(const CallCase& c, Judgement& j);
/// Compares the arguments after the call. REQUIRES: a real side.
void judge_arguments(const CallCase& c, Judgement& j);
/// Compares results and written arguments on a device with the same call on the CPU.
void judge_device(const CallCase& c, Judgement& j);
/// Compares the parts that only complete evidence has: which results exist, which are arguments or share storage, their
/// values, and the arguments after the call.
void judge_testimony(const CallCase& c, Judgement& j);

/// Adds to the report the strides that the device's kernel returned, if only its library determines them.
void learn_layouts(const CallCase& c, Judgement& j);
/// Is `v` a value that is compared directly: a number or a dtype?
bool is_comparable_value(const Value& v);
/// Are the numbers equal? Floats may differ as much as sums in another order do. `b` may be ATen's number of a dtype.
bool equal_numbers(const Value& a, const Value& b);

}  // namespace ersatz
