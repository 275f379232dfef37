// The requests of a sequence to autograd between its calls, and autograd's facts about a tensor, as text.
#pragma once

#include <span>

#include "runtime/autograd/grad_mode.h"
#include "tests/op_sequence_fuzz/sequence_call.h"

namespace ersatz {

/// Version, requires_grad, leaf, view, inference, the name of grad_fn and the metadata of `.grad`. If autograd refuses
/// to give them (a view whose memory was written), the text of the error.
std::string autograd_facts(const Tensor& t);

/// A gradient of ones for `output`, laid out as bits 2 and 3 of the seed say: contiguous, reversed, expanded. Undefined
/// where they say that none is given.
Tensor incoming_gradient(const Tensor& output, uint64_t seed);

/// Does what the call asks for, of tensors of one side. Bit 0 of the seed: the graph is kept (of Require: gradients are
/// wanted; a leaf that a graph holds keeps requiring them), bit 1: gradients of Grad can be differentiated. `incoming`:
/// of tensors[0]. Returns the gradients that Grad gives; undefined ones are None. Raises what autograd raises.
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
