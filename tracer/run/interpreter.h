// Running a program node by node, freeing each value after its last use.
//
//   PreparedProgram prepared(program);
//   Interpreter run(prepared);
//   Values outputs = run.run(inputs);                    // real, or under whatever mode is active
//
// What a node does is the handler's business: the default calls `dispatch`. A handler may run each node in several
// *lanes* at once, each with its own values (crosscheck: fake and real); it sees a node's complete arguments in every
// lane and returns its results in every lane. All lanes of a run run the same nodes.
//
// An Interpreter may run many times; it keeps its slots. One thread at a time. Each run advances the epoch of the fake
// modes of its inputs, so that what depends on data has symbols of this run. Such a symbol is equal to the one that the
// node made in the run before, unless the real values of both are known and differ.
#pragma once

#include <memory>
#include <string_view>

#include "tracer/run/prepared.h"
#include "tracer/run/symbol_bindings.h"

namespace ersatz {

/// One node being run, as a handler sees it.
struct NodeCall {
  const PreparedProgram& prepared;
  NodeId id;
  const Step& step;
  std::span<const std::span<const Value>> lanes;  ///< complete arguments, per lane; empty for uncallable nodes

  const Program& program() const { return prepared.program(); }
  const Node& node() const { return prepared.graph().nodes[id]; }
  std::string_view op_name() const { return program().name(program().op(node()).name); }
  std::string_view name() const { return program().name(node().name); }
  std::string_view source() const { return program().name(node().source); }
};

class NodeHandler {
 public:
  virtual ~NodeHandler() = default;
  /// Runs a known op: appends one Value per schema return in each lane. Default: `dispatch` in each lane.
  virtual void call(const NodeCall& call, std::span<Values> results);
  /// A function on numbers has given its results. Default: nothing.
  virtual void number(const NodeCall&, std::span<const Values>) {}
  /// A node that cannot be called (unknown operator, higher-order). One Value per result of the node in each lane, or
  /// raises. Default: raises NotSupported naming the operator.
  virtual void uncallable(const NodeCall& call, std::span<Values> results);
  /// A known op whose arguments do not fit, from the start or in this run. Like `uncallable`; default: raises the
  /// error.
  virtual void faulty(const NodeCall& call, const Error& error, std::span<Values> results);
  /// After the node's results are stored, before its last-used values are freed.
  virtual void done(const NodeCall&) {}
};

class RunWatch;  // tracer/run/run_watch.h

class Interpreter {
 public:
  explicit Interpreter(const PreparedProgram& prepared, NodeHandler* handler = nullptr, int lanes = 1);
  ~Interpreter();

  /// Runs the graph in one lane: a Value per graph input, in order; returns one per graph output, in order. Mutation
  /// outputs are written into the inputs that they name: real tensors take the values, of fakes the version moves.
  /// Errors carry the node: `node relu (model.py:17 ...): relu: ...`.
  std::vector<Value> run(std::span<const Value> inputs);
  /// The same with inputs that are given up: what nobody else holds is freed behind its last use.
  std::vector<Value> run(std::vector<Value>&& inputs);
  /// The same in all lanes: takes `inputs[lane]`, returns outputs by lane.
  std::vector<std::vector<Value>> run(std::span<const std::vector<Value>> inputs);

  /// Mutation outputs are outputs alone from now on: no input is written.
  void leave_inputs();
  /// The value in a lane while the run is at or behind its definition and not past its last use; None otherwise.
  const Value& value(ValueId id, int lane = 0) const;
  /// Where the results of the last run of a node hold symbols that it made; empty where it made none.
  std::span<const SymbolBinding> symbol_bindings(NodeId id) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
