// `register_all_ops`, expanded from ops.def, autocast.def and whole_composites.def.
#include <algorithm>

#include "kernels/core_decompositions.h"
#include "kernels/implicit_composites.h"
#include "kernels/limited_dtypes.h"
#include "kernels/pointwise/copy_engine.h"
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
#define AUTOCAST(device, kind, name) \
  if (OpEntry* op = registry.find_mutable(name)) op->autocast.kinds[int(DeviceType::device)] = AutocastKind::kind;
#define AUTOCAST_WIDE_FORM(device, name, form)                              \
  if (OpEntry* op = registry.find_mutable(name)) {                          \
    op->autocast.kinds[int(DeviceType::device)] = AutocastKind::WideResult; \
    op->autocast.wide_form = registry.find_mutable(form);                   \
  }
#include "kernels/autocast.def"
#undef AUTOCAST
#undef AUTOCAST_WIDE_FORM
  set_limited_dtypes(registry);
  add_implicit_composites(registry);
  add_core_decompositions(registry);
  constexpr std::string_view whole[] = {
#define WHOLE(name) name,
#include "kernels/whole_composites.def"
#undef WHOLE
  };
  const auto is_whole = [&](std::string_view op) {
    const auto named = [&](std::string_view name) {
      if (name.back() == '*') return op.substr(0, name.size() - 1) == name.substr(0, name.size() - 1);
      return op == name || op.substr(0, op.rfind('.')) == name;
    };
    return std::any_of(std::begin(whole), std::end(whole), named);
  };
  for (const OpEntry* op : registry.all()) {
    if (op->implicit && (!op->parts() || is_whole(op->name))) registry.find_mutable(op->name)->implicit = false;
  }
}

}  // namespace ersatz
