// Computes values of single nodes of a program on demand, fake or real.
//
//   NodeValues values(program, inputs, mode);
//   values.fake(id);                       // metadata of the node's results
//   values.real(id);                       // its results, computed
//
// A query runs the node and the earlier nodes that it needs. Each node runs once. Runs use copies of the inputs: if a
// node writes to an input, later nodes see the write, but the caller's tensor is unchanged.
//
// N1  A node's error is raised as another error, which has the original one nested in it. For fakes, that is one of
// PyTorch's fake tensor errors with a hint on the option to set (`data dependent operator`, `dynamic shape operator`,
// `unsupported operator`), or GuardOnDataDependent with the checks that would decide. A missing implementation gives
// NotSupported, any other error gives NodeError. While a node runs, its source line is the thread's
// (runtime/base/source_line.h).
// N2  Fakes belong to `mode`. Results of another mode are refused unless `allow_other_modes` is set.
#pragma once

#include <memory>
#include <vector>

#include "fake/mode/fake_mode.h"
#include "tracer/program/program.h"
#include "tracer/run/symbol_bindings.h"

namespace ersatz {

class NodeValues {
 public:
  /// `inputs` has one value for each input of the main graph: a real tensor (which a fake query converts), a fake of
  /// the mode, or a number. REQUIRES: `program` outlives the object.
  NodeValues(const Program& program, std::span<const Value> inputs, const FakeMode& mode);
  ~NodeValues();

  /// Returns the node's results as fakes, with lists flattened: those that `set_example` stored, else those of its
  /// rule.
  const std::vector<Value>& fake(NodeId id);
  /// Returns the node's results, computed by kernels. They are fakes if one of the inputs that they depend on is a
  /// fake.
  const std::vector<Value>& real(NodeId id);

  /// Stores results for the node. Records where they have symbols that depend on data.
  void set_example(NodeId id, std::vector<Value> results);
  /// Returns results that were stored or computed; null if there are none yet.
  const std::vector<Value>* example(NodeId id) const;
  /// Returns results that were stored or computed. RAISES NotSupported if there are none.
  const std::vector<Value>& required_example(NodeId id) const;
  /// Returns the symbols that the node made, and where its results have them. Empty if it made none.
  std::span<const SymbolBinding> bindings(NodeId id) const;

  bool allow_other_modes = false;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
