// Decompositions that tracers record for operators that have a rule and a kernel here and are not core ATen. Each gives
// the core operators of torch.export.default_decompositions, in PyTorch's order.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz {

/// Sets `OpEntry::decomposition` of these operators. REQUIRES: all operators are registered.
void add_core_decompositions(Registry& registry);

namespace decomposition {
struct Row {
  std::string_view op;
  CompositeBody body;
};
std::span<const Row> attention_rows();
std::span<const Row> backward_rows();
std::span<const Row> block_rows();
std::span<const Row> elementwise_rows();
std::span<const Row> reduction_rows();
std::span<const Row> resize_rows();
std::span<const Row> shape_rows();

// In-place operators that core_decompositions() decomposes.

/// Rows that call the functional operator and copy its result into the first argument.
std::span<const Row> in_place_rows();
/// The rows of `index_put_`.
std::span<const Row> indexed_in_place_rows();

/// Operators that torch.export decomposes differently from other traces.
std::span<const Row> exported_rows();
/// Operators with CompositeImplicitAutograd in PyTorch that torch.export does not decompose.
std::span<const std::string_view> exported_whole();
}  // namespace decomposition

}  // namespace ersatz
