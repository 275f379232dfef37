// Wrappers are values that contain several tensors, in lists of any nesting.
//
// `is_fake`, `mode_of` and `owns` raise InvalidArgument if the tensors of a wrapper disagree. They ignore items without
// tensors (numbers, None). A value without tensors is not fake.
#pragma once

#include "fake/mode/fake_mode.h"

namespace ersatz {

/// Returns each tensor of a nested list once, in order. Raises InvalidArgument if the value is no list.
std::vector<Tensor> flatten_tensors(const Value& wrapper);

inline bool is_fake(const Tensor& t) { return t && t.is_fake(); }
/// Returns whether the tensor, or each tensor of the wrapper, is fake. Raises InvalidArgument if there are fake and
/// real tensors.
bool is_fake(const Value& v);

/// Returns the mode of a fake or of a wrapper of fakes; nullopt for real tensors. Raises InvalidArgument if there are
/// fake and real tensors, or fakes of several modes.
std::optional<FakeMode> mode_of(const Value& v);

/// Returns whether the tensor, or each tensor of the wrapper, is a fake of `mode`. Raises the errors of mode_of.
bool owns(const FakeMode& mode, const Value& v);

}  // namespace ersatz
