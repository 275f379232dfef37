// Wrappers: values that hold several tensors, in lists of any nesting.
//
// `is_fake`, `mode_of` and `owns` raise if the tensors of a wrapper disagree. Items without tensors (numbers, None) are
// ignored. A value without tensors is not fake.
#pragma once

#include "fake/mode/fake_mode.h"

namespace ersatz {

/// Returns each tensor of a nested list once, in order. Raises InvalidArgument if the value is no list.
std::vector<Tensor> flatten_tensors(const Value& wrapper);

inline bool is_fake(const Tensor& t) { return t && t.is_fake(); }
/// Is the tensor, or each tensor of the wrapper, fake? Raises InvalidArgument for a mixture of fake and real tensors.
bool is_fake(const Value& v);

/// Returns the mode of a fake or of a wrapper of fakes; nullopt for real tensors. Raises InvalidArgument for a mixture
/// of fake and real tensors, or of fakes of several modes.
std::optional<FakeMode> mode_of(const Value& v);

/// Is the tensor, or each tensor of the wrapper, a fake of `mode`? Raises the errors of mode_of.
bool owns(const FakeMode& mode, const Value& v);

}  // namespace ersatz
