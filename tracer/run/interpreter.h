// Runs a program node by node, and frees each value after its last use.
//
//   PreparedProgram prepared(program);
//   Interpreter run(prepared);
//   Values outputs = run.run(inputs);                    // real, or under whatever mode is active
//
// A handler decides how a node runs; the default handler calls `dispatch`. A run may have several *lanes*, each with
// its own values: crosscheck has one with fakes and one with real tensors. All lanes run the same nodes. A handler gets
// a node's complete arguments in every lane and returns results for every lane.
//
// An Interpreter may run many times, and then reuses its memory. It is not thread-safe. Each run begins a new epoch in
// the fake modes of its inputs, so that data-dependent sizes get new symbols. A new symbol is declared equal to the
// symbol that the node made in the previous run, unless the real values of both are known and differ.
#pragma once

#include <memory>
#include <string_view>

#include "tracer/run/prepared.h"
#include "tracer/run/symbol_bindings.h"

namespace ersatz {

/// A node that is running, as a handler gets it.
struct NodeCall {
  const PreparedProgram& prepared;
  NodeId id;
  const Step& step;
  /// Complete arguments in each lane; empty if the node cannot be called.
  std::span<const std::span<const Value>> lanes;

  const Program& program() const { return prepared.program(); }
  const Node& node() const { return prepared.graph().nodes[id]; }
  std::string_view op_name() const { return program().name(program().op(node()).name); }
  std::string_view name() const { return program().name(node().name); }
  std::string_view source() const { return program().name(node().source); }
};

class NodeHandler {
 public:
  virtual ~NodeHandler() = default;
  /// Runs a known op. Appends, in each lane, one Value for each return of the schema. The default calls `dispatch` in
  /// each lane.
  virtual void call(const NodeCall& call, std::span<Values> results);
  /// Called after a function on numbers has returned its results. The default does nothing.
  virtual void number(const NodeCall&, std::span<const Values>) {}
  /// Handles a node that cannot be called: its operator is unknown, or it is a higher-order node that is not supported.
  /// Appends, in each lane, one Value for each result of the node, or raises. The default RAISES NotSupported with the
  /// operator's name.
  virtual void uncallable(const NodeCall& call, std::span<Values> results);
  /// Handles a known op whose arguments do not fit its schema. Appends results as `uncallable` does. The default raises
  /// `error`.
  virtual void faulty(const NodeCall& call, const Error& error, std::span<Values> results);
  /// Called after the node's results are stored, and before the values that it used last are freed.
  virtual void done(const NodeCall&) {}
};

class RunWatch;  // tracer/run/run_watch.h

class Interpreter {
 public:
  explicit Interpreter(const PreparedProgram& prepared, NodeHandler* handler = nullptr, int lanes = 1);
  ~Interpreter();

  /// Runs the graph in one lane. Takes a Value for each graph input and returns one for each graph output, in order. A
  /// mutation output is written to the input that it names: a real tensor gets the values, a fake only gets a new
  /// version. Errors name the node: `node relu (model.py:17 ...): relu: ...`.
  std::vector<Value> run(std::span<const Value> inputs);
  /// Runs the graph and takes over the inputs. An input that nothing else owns is freed after its last use.
  std::vector<Value> run(std::vector<Value>&& inputs);
  /// Runs the graph in several lanes. Takes `inputs[lane]` and returns the outputs for each lane.
  std::vector<std::vector<Value>> run(std::span<const std::vector<Value>> inputs);

  /// After this call, mutation outputs are only returned, and no input is written.
  void leave_inputs();
  /// Returns a value in a lane. It is None before its definition and after its last use.
  const Value& value(ValueId id, int lane = 0) const;
  /// Returns the symbols that the node's last run made, and where its results have them. Empty if it made none.
  std::span<const SymbolBinding> symbol_bindings(NodeId id) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
