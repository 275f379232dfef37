// A call of a random sequence as data, which can be made again in its sequence or a part of it.
//
// Its arguments are those of a sample of the op (sequence_samples). Some are swapped for tensors of earlier calls or
// other integers. If the earlier call is missing, the sample's tensor is used, so any part of a sequence is a sequence.
// Each call is one line of text: `7: aten.add_.Tensor sample=0 layout=sliced seed=11 0=3.1 2=-2` is call 7, in which
// leaf 0 of the arguments is tensor 1 of call 3, and leaf 2 is the number -2.
// `region=no_grad` makes the call in that scope. `wanted=5` makes leaves 0 and 2 require gradients if they are the
// sample's.
//
// Some lines make no call. They are requests to autograd about earlier tensors: `8: backward seed=3 0=7.1`. The seed
// chooses the options (gradient_steps.h).
#pragma once

#include "runtime/op/registry.h"
#include "runtime/op/sample.h"

namespace ersatz {

/// A tensor of an earlier call. `tensor` is its index among the call's tensors, arguments first, each once.
struct TensorOrigin {
  int64_t call;
  size_t tensor;
  auto operator<=>(const TensorOrigin&) const = default;
};

enum class SequenceAction : uint8_t { Call, Require, Retain, Clear, Backward, Grad };
enum class GradRegion : uint8_t { Follow, NoGrad, Inference };

struct SequenceCall {
  struct Swap {
    size_t leaf;  ///< index of the leaf in the flat arguments
    std::optional<TensorOrigin> tensor;
    int64_t number = 0;  ///< the leaf's number, if `tensor` is nullopt
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

/// The op's own samples. In-place and `out=` forms without samples use those of the functional op. The tensors that
/// these `out=` forms write have the metadata of the functional op's rule, or no elements.
const std::vector<Sample>& sequence_samples(const OpEntry& op);

std::string_view name(SequenceAction action);
std::string to_string(const SequenceCall& call);
/// Parses a call; text after " # " is a comment. RAISES Error for a malformed line, and for an unknown op or sample.
SequenceCall parse_sequence_call(std::string_view line);

/// `v` with each leaf replaced by f(leaf, index of the leaf).
template <class F>
Value map_leaves(const Value& v, size_t& leaf, F&& f) {
  if (v.kind() != Value::Kind::List) return f(v, leaf++);
  std::vector<Value> items;
  for (const Value& item : v.as_list()) items.push_back(map_leaves(item, leaf, f));
  return Value::list(items);
}

}  // namespace ersatz
