// Compares numbers, literals and metadata of two programs or records, each of which has its own symbols.
#pragma once

#include "runtime/op/value.h"
#include "runtime/tensor/meta_diff.h"

namespace ersatz::tools {

/// True for equal integers, and for expressions with equal printed text.
bool same_size(SymInt a, SymInt b);

/// True for equal literals: 2 is not 2.0, 0.0 is not -0.0, NaN equals NaN. Lists are equal if their items are, whatever
/// type of list has them.
bool same_value(const Value& a, const Value& b);

/// Returns the fields that differ. Each field is compared on its own: strides are compared even if sizes differ.
MetaFields differing_fields(const TensorMeta& a, const TensorMeta& b);

}  // namespace ersatz::tools
