// Whether two programs or records, each with symbols of its own, say the same of a number or a tensor.
#pragma once

#include "runtime/op/value.h"
#include "runtime/tensor/meta_diff.h"

namespace ersatz::tools {

/// The same number; expressions are the same where they are spelled so.
bool same_size(SymInt a, SymInt b);

/// The same literal: 2 is not 2.0, 0.0 is not -0.0, NaN is NaN. A list is its items, whatever holds them.
bool same_value(const Value& a, const Value& b);

/// The fields that differ, each looked at by itself: strides are told where sizes differ too.
MetaFields differing_fields(const TensorMeta& a, const TensorMeta& b);

}  // namespace ersatz::tools
