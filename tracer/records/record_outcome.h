// The outcomes of a recorded call as values that compare() takes: the run's own, and predictions of it.
#pragma once

#include "fake/outcome/outcome.h"
#include "tracer/records/call_record.h"

namespace ersatz {

OutcomeLeaf leaf_of(const RecordedTensor& tensor);
/// `outcome` is one of the record's. Results have places; of the arguments all are there, as they were before where
/// nothing is recorded of them.
Outcome outcome_of(const CallRecord& record, const RecordedOutcome& outcome);

}  // namespace ersatz
