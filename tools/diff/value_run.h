// Runs a program for real on the CPU, and shows the results of each node as they come.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tracer/run/interpreter.h"

namespace ersatz::tools {

class ValueRun final : private NodeHandler {
 public:
  /// Called with a node and its results: one Value for each value of the graph, None if it has none.
  using See = std::function<void(NodeId, std::span<const Value>)>;

  explicit ValueRun(const Program& program);

  /// Runs with this seed and returns the outputs. Memory that a node leaves unwritten (`empty`) is zero. RAISES the
  /// errors of nodes. The state of the generators is restored.
  std::vector<Value> run(std::span<const Value> inputs, uint64_t seed, const See& see = {});
  /// Runs with wide dtypes: each dtype that a node names is widened, and so are the inputs
  /// (fake/crosscheck/wide_copies.h). If a node cannot run in wide dtypes, the run ends without outputs and `stopped`
  /// says why.
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
