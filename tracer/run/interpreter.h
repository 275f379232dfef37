// Runs a program node by node, and frees each value after its last use.
//
//   PreparedProgram prepared(program);
//   Interpreter run(prepared);
//   Values outputs = run.run(inputs);                    // real, or under whatever mode is active
//
// A handler decides how a node runs; the default calls `dispatch`. A run may have several *lanes*, each with its own
// values (crosscheck: fake and real). All lanes run the same nodes. A handler sees a node's complete arguments in every
// lane and returns results for every lane.
//
// An Interpreter may run many times and keeps its slots. It is not thread-safe. Each run advances the epoch of the fake
// modes of its inputs, so data-dependent sizes get new symbols. The new symbol is equal to the node's symbol of the
// previous run, unless the real values of both are known and differ.
#pragma once

#include <memory>
#include <string_view>

#include "tracer/run/prepared.h"
#include "tracer/run/symbol_bindings.h"

namespace ersatz {

/// A node that is being run, as a handler sees it.
struct NodeCall {
  const PreparedProgram& prepared;
  NodeId id;
  const Step& step;
  std::span<const std::span<const Value>> lanes;  ///< complete arguments per lane; empty for uncallable nodes

  const Program& program() const { return prepared.program(); }
  const Node& node() const { return prepared.graph().nodes[id]; }
  std::string_view op_name() const { return program().name(program().op(node()).name); }
  std::string_view name() const { return program().name(node().name); }
  std::string_view source() const { return program().name(node().source); }
};

class NodeHandler {
 public:
  virtual ~NodeHandler() = default;
  /// Runs a known op: appends one Value per schema return in each lane. By default calls `dispatch` in each lane.
  virtual void call(const NodeCall& call, std::span<Values> results);
  /// Called after a function on numbers has given its results. Does nothing by default.
  virtual void number(const NodeCall&, std::span<const Values>) {}
  /// Handles a node that cannot be called (unknown operator, or higher-order). Appends one Value per result of the node
  /// in each lane, or raises. By default raises NotSupported with the operator's name.
  virtual void uncallable(const NodeCall& call, std::span<Values> results);
  /// Handles a known op whose arguments do not fit its schema, in every run or in this one. Works like `uncallable`;
  /// raises `error` by default.
  virtual void faulty(const NodeCall& call, const Error& error, std::span<Values> results);
  /// Called after the node's results are stored and before values that it used last are freed.
  virtual void done(const NodeCall&) {}
};

class RunWatch;  // tracer/run/run_watch.h

class Interpreter {
 public:
  explicit Interpreter(const PreparedProgram& prepared, NodeHandler* handler = nullptr, int lanes = 1);
  ~Interpreter();

  /// Runs the graph in one lane. Takes a Value per graph input and returns one per graph output, both in order.
  /// Mutation outputs are written into the inputs that they name: a real tensor takes the values, a fake's version
  /// increases. Errors name the node: `node relu (model.py:17 ...): relu: ...`.
  std::vector<Value> run(std::span<const Value> inputs);
  /// Like above, but the inputs are given up: one that nothing else holds is freed after its last use.
  std::vector<Value> run(std::vector<Value>&& inputs);
  /// Runs all lanes: takes `inputs[lane]` and returns the outputs per lane.
  std::vector<std::vector<Value>> run(std::span<const std::vector<Value>> inputs);

  /// From now on mutation outputs are only returned, and no input is written.
  void leave_inputs();
  /// Returns the value in a lane between its definition and its last use, None at other times.
  const Value& value(ValueId id, int lane = 0) const;
  /// Returns where results of the node's last run have the symbols that it made. Empty if it made none.
  std::span<const SymbolBinding> symbol_bindings(NodeId id) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
