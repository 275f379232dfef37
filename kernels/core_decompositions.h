// Decompositions for operators that have a rule and a kernel and are not core ATen. Tracers record the decomposition of
// an operator instead of its call. Each decomposition calls the operators that torch.export.default_decompositions
// gives, in PyTorch's order.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz {

/// Sets `OpEntry::decomposition` of the operators in the rows below. REQUIRES: all operators are registered.
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

// Rows for in-place operators.

/// Rows whose body calls the functional operator and copies the result into the first argument.
std::span<const Row> in_place_rows();
/// The rows of `index_put_`.
std::span<const Row> indexed_in_place_rows();

/// The rows of operators that torch.export decomposes differently than other tracers.
std::span<const Row> exported_rows();
/// Operators that are CompositeImplicitAutograd in PyTorch but are not decomposed by torch.export.
std::span<const std::string_view> exported_whole();
}  // namespace decomposition

}  // namespace ersatz
