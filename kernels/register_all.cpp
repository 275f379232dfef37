// `register_all_ops`, expanded from ops.def.
#include "runtime/registry.h"

namespace ersatz {

#define OPS(family, name)                  \
  namespace op_##name {                    \
    void register_ops(Registry& registry); \
  }
#include "kernels/ops.def"
#undef OPS

void register_all_ops([[maybe_unused]] Registry& registry) {
#define OPS(family, name) op_##name::register_ops(registry);
#include "kernels/ops.def"
#undef OPS
}

}  // namespace ersatz
