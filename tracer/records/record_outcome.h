// Converts the outcomes of a recorded call, the run's and the predictions, into values for compare().
#pragma once

#include "fake/outcome/outcome.h"
#include "tracer/records/call_record.h"

namespace ersatz {

OutcomeLeaf leaf_of(const RecordedTensor& tensor);
/// `outcome` is one of the outcomes of `record`. Results have alias places. Every argument is included, unchanged if
/// the record has no change of it.
Outcome outcome_of(const CallRecord& record, const RecordedOutcome& outcome);

}  // namespace ersatz
