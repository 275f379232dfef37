// Running a graph backwards: gradients of outputs in, gradients of leaves or of named tensors out.
//
// The newest node runs first, leaves before all others; a node runs when every gradient that it will get has come. No
// recursion: a chain of a million nodes needs no more stack than one. Gradients are checked at each edge: a larger one
// is summed to the sizes of what it is the gradient of, another dtype is cast. A complex one of a real tensor is a
// Runtime error.
//
//   backward({loss});                           // leaves: grad(parameter)
//   auto [dx] = grad({y}, {x}, {.gradients = {dy}});
#pragma once

#include <optional>
#include <vector>

#include "runtime/autograd/autograd_meta.h"

namespace ersatz {

struct BackwardOptions {
  /// One per output, of its sizes. An undefined tensor means a gradient of 1; the output must have one element then.
  std::vector<Tensor> gradients;
  std::optional<bool> retain_graph;  ///< is what was saved kept for another run? Empty: as `create_graph` says
  bool create_graph = false;         ///< gradients can be differentiated themselves
  bool allow_unused = false;         ///< of grad(): an input that no output depends on has an undefined gradient
};

/// Adds the gradients of the sum of `gradients[i] * outputs[i]` up in the leaves' `.grad`. Raises a Runtime error where
/// an output requires no gradient, where what was saved was freed or changed, and what operators raise.
void backward(std::span<const Tensor> outputs, const BackwardOptions& options = {});
inline void backward(const Tensor& output) { backward(std::span<const Tensor>(&output, 1)); }

/// The gradients with respect to `inputs`, leaves or not; no `.grad` changes.
std::vector<Tensor> grad(std::span<const Tensor> outputs, std::span<const Tensor> inputs,
                         const BackwardOptions& options = {});

/// Until the end of the scope, a backward run of this thread ends at the first node that returns NaN: a Runtime error
/// that names the node, its operator and the line of its forward call (runtime/base/source_line.h). This reads the
/// values of every gradient. Of fakes there are none to read. `on` false suspends an outer scope.
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
