// Observer of the tensors that autograd makes on the memory of other tensors: those that nodes save, and those that a
// run passes to formulas. A tracer treats both tensors as one value.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Observes its thread from its construction to its destruction. Only the innermost observer is called.
class HistoryObserver {
 public:
  HistoryObserver();
  virtual ~HistoryObserver();
  HistoryObserver(const HistoryObserver&) = delete;
  HistoryObserver& operator=(const HistoryObserver&) = delete;
  /// `made` has the memory and the metadata of `of`, and no history.
  virtual void made_without_history(const Tensor& made, const Tensor& of) = 0;

 private:
  HistoryObserver* const outer_;
};

}  // namespace ersatz
