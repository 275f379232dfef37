// Compares a node of an unregistered operator with a real run. The node's recorded metadata are the prediction of the
// fake kernel at export. The facts are the kernel's results in an eager run.
#pragma once

#include <functional>

#include "fake/crosscheck/witness.h"
#include "tools/infer/recorded_prediction.h"
#include "tracer/records/facts.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

/// True if `facts` has an entry for every result of the node.
bool has_facts(const Program& program, const Graph& graph, const Node& node, const Facts& facts);

/// Compares the node's recorded metadata with `facts`, one for each flat result. If a result has no fact or no record,
/// the answer is NoPrediction. `value` returns the value of an argument.
RecordJudgement judge_by_facts(const NodeCall& call, std::span<const ResultFacts> facts,
                               const std::function<const Value&(ValueId)>& value);

}  // namespace ersatz::tools
