// Compares a node of an unregistered operator with a real run. Its record is the prediction of the fake kernel at
// export, and the facts are the results of the kernel.
#pragma once

#include <functional>

#include "fake/crosscheck/witness.h"
#include "tools/infer/recorded_prediction.h"
#include "tracer/records/facts.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

/// True if the facts have every result of the node.
bool has_facts(const Program& program, const Graph& graph, const Node& node, const Facts& facts);

/// `facts`: of the flat results. A result without fact or record makes the answer NoPrediction. `value`: gives the
/// value of an argument.
RecordJudgement judge_by_facts(const NodeCall& call, std::span<const ResultFacts> facts,
                               const std::function<const Value&(ValueId)>& value);

}  // namespace ersatz::tools
