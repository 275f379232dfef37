#include "tools/program/missing_node.h"

#include <algorithm>

namespace ersatz::tools {

namespace {

/// A node as a recorded call. The facts are the call's outcome, the program's recorded metadata are its prediction.
class NodeRecord {
 public:
  NodeRecord(const NodeCall& call, const std::function<const Value&(ValueId)>& value)
      : call_(call), program_(call.program()), value_(value) {
    record_.id = call.name();
    record_.op = call.op_name();
    for (const Arg& a : program_.view(call.node().args)) record_.args.push_back(argument(a));
  }

  /// Adds a result. Returns false if the result has no fact or no recorded metadata.
  bool add_result(ValueId id, const ResultFacts& facts) {
    RecordedResult is, said;
    if (id != kNone && facts.eager && facts.record) {
      is.kind = said.kind = RecordedResult::Kind::Tensor;
      is.tensor.meta = *facts.eager, said.tensor.meta = *facts.record;
      // The exporter's record does not tell which tensors share memory, so the prediction shares memory as the fact
      // does.
      const bool shares = facts.alias.kind == AliasFact::Kind::Argument;
      is.tensor.storage = said.tensor.storage =
          shares ? record_.tensors[static_cast<size_t>(facts.alias.argument)].storage : next_storage_--;
    } else if (id != kNone && facts.number && facts.recorded_number) {
      is.kind = said.kind = RecordedResult::Kind::Number;
      is.number = *facts.number, said.number = *facts.recorded_number;
    } else if (id != kNone) {
      return false;
    }
    if (facts.record_known_wrong) said = is;
    record_.outcome.results.push_back(std::move(is));
    said_.results.push_back(std::move(said));
    return true;
  }

  CallRecord take() {
    record_.fake = std::move(said_);
    return std::move(record_);
  }

 private:
  RecordedArgument argument(const Arg& a) {
    RecordedArgument to;
    to.name = program_.name(a.name);
    if (a.kind == Arg::Kind::Value) {
      const Value& v = value_(a.index);
      if (!v.is_tensor()) return to.literal = v, to;
      to.kind = RecordedArgument::Kind::Tensor;
      to.tensor = static_cast<int>(record_.tensors.size());
      RecordedTensor& t = record_.tensors.emplace_back();
      t.meta = v.tensor_impl()->meta;
      t.storage = static_cast<int64_t>(v.tensor_impl()->storage->id());
    } else if (a.kind == Arg::Kind::Literal) {
      to.literal = program_.literals[a.index];
    } else if (a.kind == Arg::Kind::List || a.kind == Arg::Kind::Dict) {
      to.kind = RecordedArgument::Kind::List;
      to.is_dict = a.kind == Arg::Kind::Dict;
      for (const Arg& item : program_.list(a)) to.items.push_back(argument(item));
    }
    return to;
  }

  const NodeCall& call_;
  const Program& program_;
  const std::function<const Value&(ValueId)>& value_;
  CallRecord record_;
  RecordedOutcome said_;
  int64_t next_storage_ = -1;  // negative, so that it differs from the storages of tensor arguments
};

}  // namespace

bool has_facts(const Program& program, const Graph& graph, const Node& node, const Facts& facts) {
  const std::vector<ValueId> ids = result_values(program, node);
  return std::all_of(ids.begin(), ids.end(), [&](ValueId id) {
    const ResultFact* fact = id == kNone ? nullptr : facts.find_value(program.name(graph.values[id].name));
    return id == kNone || (fact && (fact->real || fact->number));
  });
}

RecordJudgement judge_by_facts(const NodeCall& call, std::span<const ResultFacts> facts,
                               const std::function<const Value&(ValueId)>& value) {
  const std::vector<ValueId> ids = result_values(call.program(), call.node());
  NodeRecord record(call, value);
  bool has_record = !ids.empty();
  for (size_t i = 0; i < ids.size(); ++i) has_record = has_record && record.add_result(ids[i], facts[i]);
  if (has_record) return judge_by_own_record(record.take());
  RecordJudgement none;
  none.verdict = RecordJudgement::Verdict::NoPrediction;
  return none;
}

}  // namespace ersatz::tools
