#include "kernels/core_decompositions.h"

namespace ersatz {

void add_core_decompositions(Registry& registry) {
  using namespace decomposition;
  for (const std::span<const Row> rows : {elementwise_rows(), reduction_rows(), shape_rows()}) {
    for (const Row& r : rows) registry.find_mutable(r.op)->decomposes(r.body);
  }
}

}  // namespace ersatz
