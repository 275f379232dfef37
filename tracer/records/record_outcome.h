// Converts the outcomes in a recorded call, of its run and of predictions, into values for compare().
#pragma once

#include "fake/outcome/outcome.h"
#include "tracer/records/call_record.h"

namespace ersatz {

OutcomeLeaf leaf_of(const RecordedTensor& tensor);
/// `outcome` is one of the outcomes in `record`. Results have an AliasPlace. Every tensor argument is included, with
/// its change if the record has one.
Outcome outcome_of(const CallRecord& record, const RecordedOutcome& outcome);

}  // namespace ersatz
