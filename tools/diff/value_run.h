// Runs a program with real tensors on the CPU. Calls a function with the results of each node after it ran.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tracer/run/interpreter.h"

namespace ersatz::tools {

class ValueRun final : private NodeHandler {
 public:
  /// A function that is called with a node and its results. There is one Value for each result in the graph; it is None
  /// if the result is absent.
  using See = std::function<void(NodeId, std::span<const Value>)>;

  explicit ValueRun(const Program& program);

  /// Runs the program with this seed and returns its outputs. Memory that a node leaves unwritten (`empty`) is zero.
  /// Afterwards the generators have their old state. RAISES the error of a node that fails.
  std::vector<Value> run(std::span<const Value> inputs, uint64_t seed, const See& see = {});
  /// Runs the program with wider dtypes: inputs and the dtypes that nodes name are widened
  /// (fake/crosscheck/wide_copies.h). If a node cannot run in a wide dtype, the run ends without outputs and `stopped`
  /// gets the reason.
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
