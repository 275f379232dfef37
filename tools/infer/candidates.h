// Returns the forms (forms.h) that are tried for a field, simplest first. If no example can distinguish two forms, the
// simpler one is used.
#pragma once

#include "tools/infer/inferred_rule.h"

namespace ersatz::tools {

/// Returns forms for result number `result`. REQUIRES: at least one example; the result is a tensor in each example.
std::vector<ShapeForm> shape_candidates(const ExampleList& examples, size_t result);
std::vector<DTypeForm> dtype_candidates(const ExampleList& examples, size_t result);
std::vector<StrideForm> stride_candidates(const ExampleList& examples, size_t result);
std::vector<OffsetForm> offset_candidates(const ExampleList& examples, size_t result);
std::vector<AliasForm> alias_candidates(const ExampleList& examples);

}  // namespace ersatz::tools
