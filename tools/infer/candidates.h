// The forms that are tried for a field, simplest first. If no example tells two forms apart, the first is used.
#pragma once

#include "tools/infer/inferred_rule.h"

namespace ersatz::tools {

/// Forms for result number `result`. REQUIRES: at least one example; the result is a tensor in each.
std::vector<ShapeForm> shape_candidates(const ExampleList& examples, size_t result);
std::vector<DTypeForm> dtype_candidates(const ExampleList& examples, size_t result);
std::vector<StrideForm> stride_candidates(const ExampleList& examples, size_t result);
std::vector<OffsetForm> offset_candidates(const ExampleList& examples, size_t result);
std::vector<AliasForm> alias_candidates(const ExampleList& examples);

}  // namespace ersatz::tools
