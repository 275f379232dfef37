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

#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

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

  /// The value in a lane while the run is at or behind its definition and not past its last use; None otherwise.
  const Value& value(ValueId id, int lane = 0) const { return lanes_[lane].values[id]; }
  /// Where the results of the last run of a node hold symbols that it made; empty where it made none.
  std::span<const SymbolBinding> symbol_bindings(NodeId id) const {
    const auto at = bindings_.find(id);
    return at == bindings_.end() ? std::span<const SymbolBinding>() : at->second;
  }

 private:
  struct Lane {
    std::vector<Value> values;       ///< per ValueId; owning
    std::vector<Value> args, items;  ///< never owning where a patch writes
    std::vector<SymInt> integers;
    std::vector<Value> kept;  ///< converted arguments of the node being run
  };
  std::vector<std::vector<Value>> run_lanes(std::vector<std::vector<Value>> inputs, bool given_up = false);
  void start(Lane& lane, std::vector<Value> inputs);
  void run_step(NodeId id);
  /// What the handler makes of the node; a watch is told how long it took and what it raised.
  void handle(const NodeCall& call, const std::optional<Error>& misfit);
  void handle_watched(const NodeCall& call, const std::optional<Error>& misfit);
  /// The recorded symbols of a node's results that depend on data and that no earlier node of this run has made.
  std::vector<SymInt> symbols_to_make(const Node& node);
  /// Complete arguments in every lane (the result, for a function on numbers). Returns the error of
  /// arguments that do not fit.
  std::optional<Error> bind(const Step& step, const Node& node);
  void patch(Lane& lane, const Step& step);
  void patch_slowly(Lane& lane, const Step& step, const Patch& p, const Value& v);
  void rebind(Lane& lane, const Node& node, const OpEntry& op);
  Value resolve(const Lane& lane, const Arg& a) const;
  void store(Lane& lane, const Node& node, Values& results);
  void keep_bindings(NodeId id, std::span<const SymInt> made);
  std::vector<Value> finish(Lane& lane);
  void write_back(const Lane& lane, const GraphOutput& output);

  const PreparedProgram& prepared_;
  NodeHandler* handler_;
  NodeHandler default_handler_;
  std::vector<Lane> lanes_;
  std::vector<Values> results_;
  std::vector<std::span<const Value>> arg_spans_;
  bool has_unbacked_ = false;                 ///< the program records symbols that depend on data
  RunWatch* watch_ = nullptr;                 ///< of this run
  bool makes_symbols_ = false;                ///< a mode of this run has a ShapeEnv
  std::unordered_set<int64_t> made_symbols_;  ///< words of those that this run has met
  std::unordered_map<NodeId, std::vector<SymbolBinding>> bindings_;
};

}  // namespace ersatz
