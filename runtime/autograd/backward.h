// Runs a gradient graph backward: from gradients of outputs to gradients of leaves, or of given tensors.
//
// A node is ready when all its gradients have arrived. AccumulateGrad nodes run before other ready nodes, and newer
// nodes before older ones. The engine does not recurse, so a chain of a million nodes needs no more stack than one
// node. At each edge, a gradient of larger sizes is summed to the expected sizes, and a gradient of another dtype is
// cast. A complex gradient of a real tensor is a Runtime error.
//
//   backward({loss});                           // leaves: grad(parameter)
//   auto [dx] = grad({y}, {x}, {.gradients = {dy}});
#pragma once

#include <optional>
#include <vector>

#include "runtime/autograd/autograd_meta.h"

namespace ersatz {

struct BackwardOptions {
  /// One gradient per output, with the output's sizes. An undefined tensor means a gradient of 1 and REQUIRES that its
  /// output has one element.
  std::vector<Tensor> gradients;
  std::optional<bool> retain_graph;  ///< keep saved tensors for another run; empty: the value of `create_graph` is used
  bool create_graph = false;         ///< record the backward run, so that its gradients can be differentiated
  bool allow_unused = false;         ///< for grad(): allow inputs that no output depends on
};

/// Adds the gradient of sum(`gradients[i] * outputs[i]`) to the `.grad` of each leaf. Raises a Runtime error if an
/// output requires no gradient, or if a saved tensor was freed or changed. Errors of operators reach the caller.
void backward(std::span<const Tensor> outputs, const BackwardOptions& options = {});
inline void backward(const Tensor& output) { backward(std::span<const Tensor>(&output, 1)); }

/// Returns the gradients with respect to `inputs`, which need not be leaves. It changes no `.grad`.
std::vector<Tensor> grad(std::span<const Tensor> outputs, std::span<const Tensor> inputs,
                         const BackwardOptions& options = {});

/// Scope in which a backward run of this thread raises a Runtime error at the first node that returns NaN. The error
/// names the node, its operator and the line of its forward call (runtime/base/source_line.h). The run reads the values
/// of each real gradient; gradients that are fakes are not checked. `on` = false suspends an outer scope.
class DetectAnomaly {
 public:
  explicit DetectAnomaly(bool on = true) : before_(std::exchange(t_on, on)) {}
  ~DetectAnomaly() { t_on = before_; }
  DetectAnomaly(const DetectAnomaly&) = delete;
  DetectAnomaly& operator=(const DetectAnomaly&) = delete;
  static bool is_on() { return t_on; }

 private:
  static thread_local constinit bool t_on;
  bool before_;
};

}  // namespace ersatz
