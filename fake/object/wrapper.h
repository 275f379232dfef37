// Values that hold several tensors: lists of tensors, lists of such lists.
//
// Functions about a wrapper as a whole (`is_fake`, `mode_of`, `owns`) return only if its tensors agree, else raise.
// Parts that hold no tensor (numbers, None) are left out; a value without any tensor is not fake.
#pragma once

#include "fake/mode/fake_mode.h"

namespace ersatz {

/// Every tensor of a list, of any nesting, once, in order. A value that is no list is an InvalidArgument.
std::vector<Tensor> flatten_tensors(const Value& wrapper);

inline bool is_fake(const Tensor& t) { return t && t.is_fake(); }
/// Of a tensor or wrapper. A mixture of fake and real tensors is an InvalidArgument.
bool is_fake(const Value& v);

/// The mode of a fake, or of a wrapper of fakes; empty for real tensors. A mixture of fake and real tensors, or of
/// fakes of several modes, is an InvalidArgument.
std::optional<FakeMode> mode_of(const Value& v);

/// Is the tensor, or all of a wrapper, fake in this mode? Raises what mode_of raises.
bool owns(const FakeMode& mode, const Value& v);

}  // namespace ersatz
