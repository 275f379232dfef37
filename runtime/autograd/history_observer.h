// Who is told of the tensors that autograd makes on the memory of others, with their values: those that nodes save, and
// those that a run hands to formulas. A tracer knows both tensors as one value.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Is told from its construction on, on its thread, until it is destroyed. Scopes nest: the innermost one is told.
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
