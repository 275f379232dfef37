// Requests to autograd between the calls of a sequence, and autograd's facts about a tensor as text.
#pragma once

#include <span>

#include "runtime/autograd/grad_mode.h"
#include "tests/op_sequence_fuzz/sequence_call.h"

namespace ersatz {

/// Returns version, requires_grad, leaf, view, inference, the name of grad_fn and the metadata of `.grad`. If autograd
/// raises (for a view whose memory was written), returns the text of the error.
std::string autograd_facts(const Tensor& t);

/// Returns a gradient of ones for `output`. Bits 2 and 3 of the seed choose its layout: contiguous, reversed or
/// expanded. For their fourth value, returns an undefined tensor, so that no gradient is given.
Tensor incoming_gradient(const Tensor& output, uint64_t seed);

/// Makes the request `call` to autograd for tensors of one side. `incoming` is the gradient of tensors[0]. Bit 0 of the
/// seed keeps the graph. For Require, it is the new requires_grad, but a leaf that a graph holds keeps its own. Bit 1
/// makes the gradients of Grad differentiable. Returns the gradients of Grad, with None for undefined ones. RAISES
/// errors of autograd.
std::vector<Value> ask_autograd(const SequenceCall& call, std::span<const Tensor> tensors, const Tensor& incoming);

/// The scope that a call is made in.
class RegionScope {
 public:
  explicit RegionScope(GradRegion region) {
    if (region == GradRegion::NoGrad) no_grad_.emplace();
    if (region == GradRegion::Inference) inference_.emplace();
  }

 private:
  std::optional<NoGrad> no_grad_;
  std::optional<InferenceMode> inference_;
};

}  // namespace ersatz
