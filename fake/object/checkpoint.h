// Saves the bytes of a model's tensors and the states of the generators, so that two runs can start from one state.
//
//   Checkpoint before(model);
//   run(model);
//   before.restore();                 // for example batch norm's statistics
//
// `restore` writes only storages that were written since they were saved or restored; other storages keep their
// version.
#pragma once

#include <memory>

#include "fake/object/module_tree.h"
#include "runtime/op/value.h"

namespace ersatz {

class Checkpoint {
 public:
  /// Saves the parameters and buffers of a module tree. Raises the InvalidArgument of require_no_fakes if one is a
  /// fake.
  explicit Checkpoint(const Module& module);
  /// Saves the tensors among the values, including those in lists. REQUIRES: they are real.
  explicit Checkpoint(std::span<const Value> values);
  ~Checkpoint();

  /// Restores the saved sizes and bytes of storages and the states of the generators. It may be called several times.
  void restore();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
