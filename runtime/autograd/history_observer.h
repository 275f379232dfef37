// Observes the copies of tensors without history that autograd makes. Nodes save these copies, and formulas compute
// with them. A tracer treats the copy and the original as one value.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Observes this thread from construction to destruction. If there are several observers, only the innermost one is
/// called.
class HistoryObserver {
 public:
  HistoryObserver();
  virtual ~HistoryObserver();
  HistoryObserver(const HistoryObserver&) = delete;
  HistoryObserver& operator=(const HistoryObserver&) = delete;
  /// Called after autograd made `made`, which has the memory and the metadata of `of` and no history.
  virtual void made_without_history(const Tensor& made, const Tensor& of) = 0;

 private:
  HistoryObserver* const outer_;
};

}  // namespace ersatz
