// `register_all_ops`, expanded from ops.def and autocast.def.
#include "kernels/pointwise/copy_engine.h"
#include "runtime/op/autocast.h"
#include "runtime/op/registry.h"

namespace ersatz {

#define OPS(family, name)                  \
  namespace op_##name {                    \
    void register_ops(Registry& registry); \
  }
#include "kernels/ops.def"
#undef OPS

void register_all_ops([[maybe_unused]] Registry& registry) {
  pointwise::install_copy_kernel();
#define OPS(family, name) op_##name::register_ops(registry);
#include "kernels/ops.def"
#undef OPS
#define AUTOCAST(kind, name) \
  if (OpEntry* op = registry.find_mutable(name)) op->tag(kAutocast##kind);
#include "kernels/autocast.def"
#undef AUTOCAST
}

}  // namespace ersatz
