// Values of single nodes of a program, fake or real, computed on demand.
//
//   NodeValues values(program, inputs, mode);
//   values.fake(id);                       // metadata of the node's results
//   values.real(id);                       // its results, computed
//
// A query runs the node and the earlier nodes that it needs, each once. Runs use copies of the inputs: later nodes see
// what a node writes there, the caller does not.
//
// N1  A node's error is raised as another error, with the original one nested in it. It is an error kind of fake
// tensors with the option to set (`data dependent operator`, `dynamic shape operator`, `unsupported operator`), or
// GuardOnDataDependent with the checks that would decide. A missing implementation is NotSupported, and all others are
// NodeError. While a node runs, its source line is the thread's (runtime/base/source_line.h).
// N2  Fakes belong to `mode`. Results of another mode are refused unless `allow_other_modes`.
#pragma once

#include <memory>
#include <vector>

#include "fake/mode/fake_mode.h"
#include "tracer/program/program.h"
#include "tracer/run/symbol_bindings.h"

namespace ersatz {

class NodeValues {
 public:
  /// `inputs` has one value for each input of the main graph: real tensors, which are converted for fake queries, fakes
  /// of the mode, or numbers. `program` must outlive the object.
  NodeValues(const Program& program, std::span<const Value> inputs, const FakeMode& mode);
  ~NodeValues();

  /// Returns the node's flat results as fakes: those of `set_example`, else those of its rule.
  const std::vector<Value>& fake(NodeId id);
  /// Returns the node's computed results. They are fakes if one of the inputs that they need is a fake.
  const std::vector<Value>& real(NodeId id);

  /// Sets the node's results, and records where they have symbols that depend on data.
  void set_example(NodeId id, std::vector<Value> results);
  /// Returns results that were set or computed, null if there are none yet.
  const std::vector<Value>* example(NodeId id) const;
  /// Returns results that were set or computed. Raises NotSupported if there are none.
  const std::vector<Value>& required_example(NodeId id) const;
  /// Returns where the node's results have the symbols that it made. Empty if it made none.
  std::span<const SymbolBinding> bindings(NodeId id) const;

  bool allow_other_modes = false;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
