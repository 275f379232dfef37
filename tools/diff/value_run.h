// One run of a program for real on the CPU, each node's results shown as they come.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tracer/run/interpreter.h"

namespace ersatz::tools {

class ValueRun final : private NodeHandler {
 public:
  /// Sees a node and its results, one Value a value of the graph (None where there is none).
  using See = std::function<void(NodeId, std::span<const Value>)>;

  explicit ValueRun(const Program& program);

  /// Runs from this seed and returns the outputs. Memory that a node leaves unwritten (`empty`) holds zeros. What a
  /// node raises passes; the generators are afterwards as before.
  std::vector<Value> run(std::span<const Value> inputs, uint64_t seed, const See& see = {});
  /// The same with every dtype that a node names made wide, on wide copies of the inputs
  /// (fake/crosscheck/wide_copies.h). A node that cannot be run so ends it: `stopped` says why; there are no outputs.
  std::vector<Value> run_wide(std::span<const Value> inputs, uint64_t seed, const See& see, std::string& stopped);

 private:
  void call(const NodeCall& call, std::span<Values> results) override;
  void done(const NodeCall& call) override;

  const PreparedProgram prepared_;
  Interpreter* interpreter_ = nullptr;
  const See* see_ = nullptr;
  bool wide_ = false;
};

}  // namespace ersatz::tools
