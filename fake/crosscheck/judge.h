// The judges of a checked call: functions that compare its prediction with the observation and with outside evidence,
// and add findings to a Judgement.
//
// They change only the judgement. The functions from `settle_data` to `drop_records_of_cpu` run before the judges and
// choose the evidence that applies to the call.
#pragma once

#include "fake/crosscheck/judgement.h"

namespace ersatz {

// Evidence (evidence.cpp).
/// The metadata to compare a result with if its kernel is no witness: the eager fact, else the record unless it is
/// known to be wrong, else null. Sets `witness` to the source, unless it returns null.
const TensorMeta* outside_truth(const ResultFacts& facts, Witness& witness);

/// The strongest outside witness with results of the call, which shows that the call passed there. None without one.
Witness outside_witness(const CallCase& c);
/// For a call whose results' metadata depend on values (`by_data`): drops facts of runs on other values, and recorded
/// numbers, which are only an exporter's hints. Evidence that is complete (Evidence::complete) is not changed.
void settle_data(CallCase& c, bool by_data);
/// Fills missing fields of records (strides, offset, dtype, device) from the prediction.
void complete_records(CallCase& c);
/// Marks in `j.follows` the results that differ from their witness only because the call's arguments took over observed
/// metadata after an earlier finding. For arguments that the rules alone predict, rule and witness agree.
void note_follow_ups(const CallCase& c, Judgement& j);
/// For a call on another device: drops a record of a CPU run if it differs from the prediction and agrees with the rule
/// for the CPU.
void drop_records_of_cpu(CallCase& c, Judgement& j);

/// How a call goes on after its errors are judged.
enum class ErrorsSay : uint8_t {
  Nothing,          ///< no error decides the call
  CallIsJudged,     ///< at least one side has no results, and all findings have been added
  ResultsAreThere,  ///< each side that has to be judged has results
  NoKernel          ///< only the prediction has results: the real side has no kernel
};
/// Whether the error's kind means that an operator or a kernel is missing, not that the call is wrong.
bool lacks_support(const Error& e);
/// Whether the error says that ersatz has no model of the call. Then it contradicts neither an answer nor an error of
/// eager.
bool is_not_modelled(const Error& e);
ErrorsSay judge_errors(const CallCase& c, Judgement& j);
/// Compares metadata, numbers and flags of the results.
void judge_results(const CallCase& c, Judgement& j);
/// Compares which tensors share storage, with the other side, with facts and with the schema.
void judge_aliases(const CallCase& c, Judgement& j);
/// Compares arguments after the call. REQUIRES: a real side.
void judge_arguments(const CallCase& c, Judgement& j);
/// Compares results and written arguments on a device with those of the CPU run.
void judge_device(const CallCase& c, Judgement& j);
/// Compares a call with complete evidence (Evidence::complete): the number of results, which results are arguments or
/// share storage, the values of the results, and the arguments after the call.
void judge_evidence(const CallCase& c, Judgement& j);

/// Adds to the report the strides that only the device's library decides, as the kernel returned them.
void learn_layouts(const CallCase& c, Judgement& j);
/// Whether a result is compared as a value: a number or a dtype.
bool is_comparable_value(const Value& v);
/// Whether the numbers are equal. Floats may differ as sums in another order do. `b` may be ATen's number of a dtype.
bool equal_numbers(const Value& a, const Value& b);

}  // namespace ersatz
