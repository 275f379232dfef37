#include "runtime/op/device_layouts.h"

#include "runtime/base/other_devices.h"
#include "runtime/op/op_entry.h"

namespace ersatz {

namespace {
thread_local constinit const DeviceLayouts* t_layouts = nullptr;
}  // namespace

std::atomic<int> detail::g_device_layouts = 0;
const DeviceLayouts* detail::device_layouts_of_thread() { return t_layouts; }

DeviceLayoutsGuard::DeviceLayoutsGuard(const DeviceLayouts* layouts) : saved_(t_layouts) {
  ++detail::g_device_layouts;
  t_layouts = layouts;
}
DeviceLayoutsGuard::~DeviceLayoutsGuard() {
  t_layouts = saved_;
  --detail::g_device_layouts;
}

bool DeviceLayouts::is_there(Device d) const { return is_other(d) && device_name(d) == device_; }

void DeviceLayouts::count(const OpEntry& op, std::string_view situation, bool recorded) const {
  const std::lock_guard lock(mutex_);
  (recorded ? recorded_ : by_rules_)[op.name].emplace(situation);
}

DeviceLayouts::Counts DeviceLayouts::counts() const {
  const std::lock_guard lock(mutex_);
  Counts counts;
  for (const auto& [op, calls] : recorded_) counts.recorded += static_cast<int64_t>(calls.size());
  for (const auto& [op, calls] : by_rules_) {
    counts.by_rules += static_cast<int64_t>(calls.size());
    counts.by_rules_ops[op] = static_cast<int64_t>(calls.size());
  }
  return counts;
}

void lay_out_as_recorded(const DeviceLayouts& layouts, RuleCall& call) {
  bool there = layouts.is_there(call.device);
  for_each_tensor(call.args, [&](const TensorImpl* t) { there |= layouts.is_there(t->meta.device); });
  std::string situation;  // the key of the call; empty until the first new tensor needs it
  bool recorded = true;
  for (size_t k = 0; k < call.out.outputs.size(); ++k) {
    OutputSpec& output = call.out.outputs[k];
    const bool laid_out =
        output.kind == OutputSpec::Kind::Fresh || (output.kind == OutputSpec::Kind::Same && output.metadata_changed);
    if (!laid_out || !(there || layouts.is_there(output.meta.device))) continue;
    if (situation.empty()) situation = layout_situation(call.args);
    const DimVec* strides = layouts.find(call.op.name, k, situation);
    const bool fits = strides && strides->size() == output.meta.sizes.size();
    recorded &= fits;
    if (!fits) continue;
    output.meta.strides = *strides;
    output.unknown_layout = false;
  }
  if (!situation.empty()) layouts.count(call.op, situation, recorded);
}

}  // namespace ersatz
