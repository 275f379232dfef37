// The values of single nodes of a program, fake or real, worked out when somebody asks.
//
//   NodeValues values(program, inputs, mode);
//   values.fake(id);                       // metadata of the node's results
//   values.real(id);                       // its results, computed
//
// Asking for a node runs those nodes before it that it needs and that have no value yet, each once. Runs work on
// copies of the inputs: what nodes write there is seen by later nodes, and by nobody outside.
//
// N1  What a node raises comes as one of: the kinds of the fake world, with what to set (`data dependent operator`,
//     `dynamic shape operator`, `unsupported operator`); GuardOnDataDependent, with the checks that would decide;
//     NotSupported for what is not implemented; NodeError for all else. The error that was raised is nested in it.
//     While a node runs, its line is the thread's (runtime/base/source_line.h).
// N2  Fakes belong to the mode; results of another one are refused unless `allow_other_modes`.
#pragma once

#include <memory>
#include <vector>

#include "fake/mode/fake_mode.h"
#include "tracer/program/program.h"
#include "tracer/run/symbol_bindings.h"

namespace ersatz {

class NodeValues {
 public:
  /// One value for each input of the main graph: real tensors, which are converted where fakes are asked for, fakes of
  /// the mode, numbers. `program` has to live as long.
  NodeValues(const Program& program, std::span<const Value> inputs, const FakeMode& mode);
  ~NodeValues();

  /// The flat results of the node as fakes: those that were set, else those of its rule.
  const std::vector<Value>& fake(NodeId id);
  /// The same, computed. With fakes among the inputs that it needs they are fakes.
  const std::vector<Value>& real(NodeId id);

  /// What the node's results are to be taken for, and where they hold symbols that depend on data.
  void set_example(NodeId id, std::vector<Value> results);
  /// What was set or worked out; null: nothing yet.
  const std::vector<Value>* example(NodeId id) const;
  /// The same where there has to be one. NotSupported: there is none.
  const std::vector<Value>& required_example(NodeId id) const;
  /// Where its results hold the symbols that it made; empty where it made none.
  std::span<const SymbolBinding> bindings(NodeId id) const;

  bool allow_other_modes = false;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
