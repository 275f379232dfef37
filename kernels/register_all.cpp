// Defines `register_all_ops`, which expands ops.def, autocast.def, no_cpu_kernel.def and whole_composites.def.
#include <algorithm>
#include <span>
#include <string_view>

#include "kernels/core_decompositions.h"
#include "kernels/derivatives.h"
#include "kernels/error_classes.h"
#include "kernels/implicit_composites.h"
#include "kernels/limited_dtypes.h"
#include "kernels/pointwise/copy_engine.h"
#include "runtime/op/cpu_kernel_tag.h"
#include "runtime/op/registry.h"

namespace ersatz {

#define OPS(family, name)                  \
  namespace op_##name {                    \
    void register_ops(Registry& registry); \
  }
#include "kernels/ops.def"
#undef OPS

namespace {

/// Does `row` name the overload `op`, or the packet of `op`? If `row` ends with `*`, it names every operator whose name
/// begins with the text before `*`.
bool is_of_row(std::string_view op, std::string_view row) {
  if (row.back() == '*') return op.substr(0, row.size() - 1) == row.substr(0, row.size() - 1);
  return op == row || op.substr(0, op.rfind('.')) == row;
}
bool is_of(std::string_view op, std::span<const std::string_view> rows) {
  return std::any_of(rows.begin(), rows.end(), [&](std::string_view row) { return is_of_row(op, row); });
}

}  // namespace

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
  set_error_classes();
  add_implicit_composites(registry);
  add_core_decompositions(registry);
  add_derivatives(registry);
  constexpr std::string_view whole[] = {
#define WHOLE(name) name,
#include "kernels/whole_composites.def"
#undef WHOLE
  };
  constexpr std::string_view no_cpu_kernel[] = {
#define NO_CPU_KERNEL(name) name,
#include "kernels/no_cpu_kernel.def"
#undef NO_CPU_KERNEL
  };
  for (const OpEntry* op : registry.all()) {
    if (op->implicit && (!op->parts() || is_of(op->name, whole))) registry.find_mutable(op->name)->implicit = false;
    if (is_of(op->name, no_cpu_kernel)) registry.find_mutable(op->name)->tag(kNoCpuKernel);
  }
}

}  // namespace ersatz
