// A node of an operator that is not registered, judged by a real run of the program: its record is what the operator's
// fake kernel said when the program was exported, and the facts have what its kernel returned.
#pragma once

#include <functional>

#include "fake/crosscheck/witness.h"
#include "tools/infer/recorded_prediction.h"
#include "tracer/records/facts.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

/// Do the facts have every result of the node?
bool has_facts(const Program& program, const Graph& graph, const Node& node, const Facts& facts);

/// `facts`: of the flat results; what is missing there, on either side, makes it NoPrediction. `value`: of an argument.
RecordJudgement judge_by_facts(const NodeCall& call, std::span<const ResultFacts> facts,
                               const std::function<const Value&(ValueId)>& value);

}  // namespace ersatz::tools
