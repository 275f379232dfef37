// The checks of a call: functions that compare its prediction with the observation and with evidence, and add findings
// to a Judgement.
//
// The judge_* functions change only the Judgement. The functions from `settle_data` to `drop_records_of_cpu` run before
// them and choose the evidence that applies to the call.
#pragma once

#include "fake/crosscheck/judgement.h"

namespace ersatz {

// Functions that choose the evidence (evidence.cpp).
/// Returns the metadata with which a result is compared if its kernel did not allocate it. They come from an eager run,
/// else from the record unless the record is known to be wrong. Sets `witness` to this source. Returns null, and leaves
/// `witness` unchanged, if there is no source.
const TensorMeta* outside_truth(const ResultFacts& facts, Witness& witness);

/// Returns the source, eager run or else record, that has results of the call and so shows that the call passed there.
/// Returns None if no source has results.
Witness outside_witness(const CallCase& c);
/// For a call whose results' metadata depend on values (`by_data`): drops evidence from runs with other values. Also
/// drops recorded numbers, because an exporter's numbers are only hints. Complete evidence (Evidence::complete) stays
/// unchanged.
void settle_data(CallCase& c, bool by_data);
/// Sets the fields that a record lacks (strides, offset, dtype, device) to the predicted values.
void complete_records(CallCase& c);
/// Sets `j.follows` for results that differ from their evidence only because the call's arguments got observed metadata
/// after an earlier finding. If the arguments had the metadata that rules predict, rule and evidence would agree on
/// these results.
void note_follow_ups(const CallCase& c, Judgement& j);
/// For a call on a GPU: drops a record of a CPU run if it differs from the prediction and agrees with the rule's result
/// for the CPU.
void drop_records_of_cpu(CallCase& c, Judgement& j);

/// Says how the check of a call continues after judge_errors.
enum class ErrorsSay : uint8_t {
  Nothing,          ///< no error decides the result of the check
  CallIsJudged,     ///< at least one run has no results, and all findings have been added
  ResultsAreThere,  ///< each run that has to be compared has results
  NoKernel          ///< only the fake run has results, because there is no kernel for the real run
};
/// Returns whether the error's kind means that an operator or a kernel is missing, not that the call is wrong.
bool lacks_support(const Error& e);
/// Returns whether the error says that ersatz has no model of the call. This error contradicts neither the results nor
/// the error of an eager run.
bool is_not_modelled(const Error& e);
ErrorsSay judge_errors(const CallCase& c, Judgement& j);
/// Compares metadata, numbers and flags of the results.
void judge_results(const CallCase& c, Judgement& j);
/// Compares which tensors share storage in the fake run, in the real run, in the caller's evidence and in the schema.
void judge_aliases(const CallCase& c, Judgement& j);
/// Compares the fake and the real arguments after the call. REQUIRES: there was a real run.
void judge_arguments(const CallCase& c, Judgement& j);
/// Compares the results and written arguments of the GPU's run with those of the CPU run.
void judge_device(const CallCase& c, Judgement& j);
/// Compares a call with complete evidence (Evidence::complete): the number of results, which results are arguments or
/// share storage, the values of the results, and the arguments after the call.
void judge_evidence(const CallCase& c, Judgement& j);

/// Adds the kernel's strides to Report::layouts if only the device's library decides them.
void learn_layouts(const CallCase& c, Judgement& j);
/// Returns whether a result is compared as a value: a number or a dtype.
bool is_comparable_value(const Value& v);
/// Returns whether the numbers are equal. Two floats may differ as much as two sums of the same terms in different
/// orders. If `a` is a dtype, `b` may be ATen's number of a dtype.
bool equal_numbers(const Value& a, const Value& b);

}  // namespace ersatz
