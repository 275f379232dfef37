// The state of a model before a run, to start another run from the same: the bytes of its tensors, and the generators.
//
//   Checkpoint before(model);
//   run(model);
//   before.restore();                 // batch norm's statistics and the random numbers are those of before
//
// What no run has written is not written back either: its version stays. Restoring again undoes what was written since.
#pragma once

#include <memory>

#include "fake/object/module_tree.h"
#include "runtime/op/value.h"

namespace ersatz {

class Checkpoint {
 public:
  /// The parameters and buffers of a whole tree. InvalidArgument where one is a fake (require_no_fakes).
  explicit Checkpoint(const Module& module);
  /// The tensors among the values, those in lists too. REQUIRES: real ones.
  explicit Checkpoint(std::span<const Value> values);
  ~Checkpoint();

  /// Storages get the size and the bytes that they had.
  void restore();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
