// The judges of a checked call: functions that hold its prediction against what was observed and against the testimony
// of outside witnesses, and report findings to a Judgement.
//
// They read the case and change nothing but the judgement; what testimony holds for this call is settled before.
#pragma once

#include "fake/crosscheck/judgement.h"

namespace ersatz {

// Testimony (testimony.cpp).
/// The metadata that decides about a result where its kernel is no witness: the eager fact's, else the record's unless
/// it is known to be wrong. Sets `witness` to whose it is; null: neither.
const TensorMeta* outside_truth(const ResultFacts& facts, Witness& witness);

/// The strongest outside witness that has results of the call: where one has, the call passed there. None without one.
Witness outside_witness(const CallCase& c);
/// Of a call whose results' metadata depend on values: drops facts of runs on other values, and numbers that only a
/// record's hint gives.
void settle_data(CallCase& c, bool by_data);
/// Gives records that tell no strides or no offset those of the prediction.
void complete_records(CallCase& c);
/// Marks the results that differ from their witness only because the call's arguments have taken over the truth of an
/// earlier finding: with the arguments as the rules alone predict them, the two agree.
void note_follow_ups(const CallCase& c, Judgement& j);
/// Drops records of a CPU run, for a call on another device, where the rule gives the CPU what the record says.
void drop_records_of_cpu(CallCase& c, Judgement& j);

/// What the errors of a call leave to be judged.
enum class ErrorsSay : uint8_t {
  Nothing,          ///< there were none
  CallIsJudged,     ///< at least one side has no results, and what there is to say has been said
  ResultsAreThere,  ///< of every side that is to be judged
  NoKernel          ///< of the prediction alone: the real side failed for want of a kernel
};
/// Is the error of a kind that says that an operator or a kernel is missing, and not that the call is wrong?
bool lacks_support(const Error& e);
/// Does the error say that ersatz has no model of the call? It then contradicts no answer and no refusal of eager.
bool is_not_modelled(const Error& e);
ErrorsSay judge_errors(const CallCase& c, Judgement& j);
/// Metadata, numbers and flags.
void judge_results(const CallCase& c, Judgement& j);
/// Who shares storage with whom, against the other side, facts and the schema.
void judge_aliases(const CallCase& c, Judgement& j);
/// Arguments after the call. REQUIRES: a real side.
void judge_arguments(const CallCase& c, Judgement& j);
/// Results and written arguments on a device, against the same call on the CPU.
void judge_device(const CallCase& c, Judgement& j);
/// What only a complete testimony tells: which results there are, which of them are arguments or share storage, what
/// values they hold, arguments afterwards.
void judge_testimony(const CallCase& c, Judgement& j);

/// Adds to the report the strides that only the device's library could tell, as its kernel has returned them.
void learn_layouts(const CallCase& c, Judgement& j);
/// A result that is compared as it is: a number, or a dtype.
bool is_comparable_value(const Value& v);
/// Equality of numbers; floats may differ as sums in another order do, and `b` may be ATen's number of a dtype.
bool equal_numbers(const Value& a, const Value& b);

}  // namespace ersatz
