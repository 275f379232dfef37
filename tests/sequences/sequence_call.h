// A call of a random sequence as data: it can be made again, in its sequence or in a part of it.
//
// Its arguments are those of a sample of the op (sequence_samples), some of them swapped for tensors of earlier calls
// and for other integers. A swap for a tensor of a call that is not there does nothing: the sample's stays, so that
// any part of a sequence is one. One line of text each, `7: aten.add_.Tensor sample=0 layout=sliced seed=11 0=3.1
// 2=-2`: call 7, where leaf 0 of the arguments is tensor 1 of call 3, and leaf 2 the number -2. `region=no_grad` makes
// the call in that scope, `wanted=5` makes leaves 0 and 2 require gradients where they are the sample's.
//
// Some lines make no call and ask autograd for something of earlier tensors: `8: backward seed=3 0=7.1`. The seed says
// how (gradient_steps.h).
#pragma once

#include "runtime/op/registry.h"
#include "runtime/op/sample.h"

namespace ersatz {

/// Which tensor of a sequence: `tensor` counts those of the call, its arguments first, each once.
struct TensorOrigin {
  int64_t call;
  size_t tensor;
  auto operator<=>(const TensorOrigin&) const = default;
};

enum class SequenceAction : uint8_t { Call, Require, Retain, Clear, Backward, Grad };
enum class GradRegion : uint8_t { Follow, NoGrad, Inference };

struct SequenceCall {
  struct Swap {
    size_t leaf;  ///< of the arguments, counted through their lists
    std::optional<TensorOrigin> tensor;
    int64_t number = 0;  ///< without a tensor
  };
  int64_t id;
  const OpEntry* op;  ///< null where the action is no call
  size_t sample;
  SampleOptions options;
  std::vector<Swap> swaps;
  SequenceAction action = SequenceAction::Call;
  GradRegion region = GradRegion::Follow;
  uint64_t wanted = 0;  ///< bit per leaf of the sample: it requires a gradient

  /// None where the action is no call.
  std::vector<Value> sample_arguments() const;
};

/// The op's own samples; of a derived form without any, in place or `out=`, those of the functional op. What such an
/// `out=` form is given to write is what the functional op's rule says, or has no elements.
const std::vector<Sample>& sequence_samples(const OpEntry& op);

std::string_view name(SequenceAction action);
std::string to_string(const SequenceCall& call);
/// What stands behind " # " is a comment. Raises an Error where the line is no call, or names an op or a sample that is
/// not there.
SequenceCall parse_sequence_call(std::string_view line);

/// `v` with f(leaf, number of the leaf) for each that is no list.
template <class F>
Value map_leaves(const Value& v, size_t& leaf, F&& f) {
  if (v.kind() != Value::Kind::List) return f(v, leaf++);
  std::vector<Value> items;
  for (const Value& item : v.as_list()) items.push_back(map_leaves(item, leaf, f));
  return Value::list(items);
}

}  // namespace ersatz
