// What tracers record of operators that are not core ATen and that have a rule and a kernel here: the core operators
// that PyTorch's export decomposes them into (torch.export.default_decompositions), in its order.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz {

/// Gives the entries their decompositions. REQUIRES: the operators are registered.
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

// In-place operators that a table for traces that write takes apart.

/// The parts of the functional operator, and a copy.
std::span<const Row> in_place_rows();
/// `index_put_`.
std::span<const Row> indexed_in_place_rows();

/// Operators that the export says otherwise than other traces, which make their usual parts.
std::span<const Row> exported_rows();
/// Implicit composites that the export leaves whole.
std::span<const std::string_view> exported_whole();
}  // namespace decomposition

}  // namespace ersatz
