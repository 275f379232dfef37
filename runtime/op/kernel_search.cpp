#include "runtime/op/kernel_search.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "runtime/op/op_entry.h"

namespace ersatz {

namespace {
using Facts = std::unordered_map<std::string, KernelSearch>;
Facts& facts() {
  static Facts all;
  return all;
}

thread_local constinit int t_searched_last = 0;

Device device_of(std::span<const Value> args, const RuleContext& context) {
  std::optional<Device> device;
  for_each_tensor(args, [&](const TensorImpl* t) {
    if (!device) device = t->meta.device;
  });
  return device.value_or(context.default_device);
}

/// The first refusal of a call by anything but its missing kernel; none where nothing else is wrong with it.
std::optional<Error> other_refusal(RuleCall& call) {
  const KernelSearchedLast last;
  try {
    call.op.rule(call);
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InvalidArgument || e.kind == ErrorKind::NotSupported) return e;
  }
  return std::nullopt;
}
}  // namespace

const KernelSearch& kernel_search(std::string_view op) {
  static const KernelSearch nothing_said;
  const auto at = facts().find(std::string(op));
  return at == facts().end() ? nothing_said : at->second;
}

void set_kernel_search(std::string_view op, const KernelSearch& search) {
  facts().insert_or_assign(std::string(op), search);
}

KernelSearchedLast::KernelSearchedLast() { ++t_searched_last; }
KernelSearchedLast::~KernelSearchedLast() { --t_searched_last; }
bool KernelSearchedLast::now() { return t_searched_last > 0; }

void put_in_order(const OpEntry& op, std::span<const Value> args, Error& refused) {
  using Order = KernelSearch::Order;
  const Order order = kernel_search(op.name).order;
  if (order == Order::AsRule || KernelSearchedLast::now()) return;
  bool limited = false;
  for_each_tensor(args, [&](const TensorImpl* t) { limited |= kLimitedDTypes.has(t->meta.dtype); });
  if (!limited) return;
  const RuleContext& context = rule_context();
  RuleResult result;
  RuleCall call{op, args, context, device_of(args, context), result};
  if (order == Order::Last && refused.family == ErrorFamily::NotImplemented && op.rule) {
    const std::optional<Error> other = other_refusal(call);
    if (other && other->family != ErrorFamily::NotImplemented) refused = *other;
  }
  const bool of_dtype = refused.label.find("dtype") != std::string::npos || refused.label.ends_with(".result_type");
  if (order == Order::Last || refused.family != ErrorFamily::Runtime) return;
  if (order == Order::BeforeWritten && !of_dtype) return;
  try {
    for (size_t i = 0; i < (order == Order::FirstOfSelf ? 1 : args.size()); ++i) {
      if (op.schema.arguments[i].keyword_only && std::ranges::count(op.written, i) > 0) continue;  // `out=`
      for_each_tensor(args.subspan(i, 1), [&](const TensorImpl* t) {
        if (kLimitedDTypes.has(t->meta.dtype)) call.require_dtype_first(t->meta.dtype, kAllDTypes);
      });
    }
  } catch (const Error& e) {
    refused = e;
  }
}

}  // namespace ersatz
