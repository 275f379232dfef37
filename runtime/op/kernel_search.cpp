#include "runtime/op/kernel_search.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "runtime/op/composite_body.h"
#include "runtime/op/op_entry.h"

namespace ersatz {

namespace {
using Facts = std::unordered_map<std::string, KernelSearch>;
Facts& facts() {
  static Facts all;
  return all;
}

thread_local constinit int t_searched_last = 0;

/// Returns the first error of the call other than a missing kernel; nullopt if there is none.
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

namespace {

/// Returns the position of the argument whose dtype selects the kernel: that of `self`, or 0 if there is no `self`.
size_t position_of_self(const OpEntry& op) {
  const auto& arguments = op.schema.arguments;
  const auto at = std::ranges::find(arguments, "self", &Argument::name);
  return at == arguments.end() ? 0 : static_cast<size_t>(at - arguments.begin());
}

/// If an argument has a dtype of kLimitedDTypes for which no kernel exists, replaces `refused` by the error of the
/// missing kernel. With `self`, only the argument at that position is checked.
void name_kernel_first(const RuleCall& call, std::optional<size_t> self, Error& refused) {
  try {
    for (size_t i = 0; i < call.args.size(); ++i) {
      if (self && *self != i) continue;
      // skips an `out=` argument
      if (call.op.schema.arguments[i].keyword_only && std::ranges::count(call.op.written, i) > 0) continue;
      for_each_tensor(call.args.subspan(i, 1), [&](const TensorImpl* t) {
        if (kLimitedDTypes.has(t->meta.dtype)) call.require_dtype_first(t->meta.dtype, kAllDTypes);
      });
    }
  } catch (const Error& e) {
    refused = e;
  }
}

/// For an in-place or `out=` op: if its functional op has no kernel, replaces `refused` by the error of the missing
/// kernel.
void name_kernel_of_functional(const RuleCall& call, Error& refused) {
  try {
    RuleResult functional;
    call.ask_functional(functional);
  } catch (const Error& e) {
    if (e.family == ErrorFamily::NotImplemented) refused = e;
  }
}

}  // namespace

void put_in_order(const OpEntry& op, std::span<const Value> args, Error& refused) {
  using Order = KernelSearch::Order;
  const Order order = kernel_search(op.name).order;
  if (order == Order::AsRule || KernelSearchedLast::now()) return;
  bool limited = false;
  for_each_tensor(args, [&](const TensorImpl* t) { limited |= kLimitedDTypes.has(t->meta.dtype); });
  if (!limited) return;
  const RuleContext& context = rule_context();
  RuleResult result;
  RuleCall call{op, args, context, device_of_call(args, context.default_device), result};
  const std::optional<size_t> self = order == Order::BySelf ? std::optional(position_of_self(op)) : std::nullopt;
  const bool others = order == Order::Last ||
                      (self && args[*self].is_tensor() && !kLimitedDTypes.has(args[*self].tensor_impl()->meta.dtype));
  if (others && refused.family == ErrorFamily::NotImplemented && op.rule) {
    const std::optional<Error> other = other_refusal(call);
    if (other && other->family != ErrorFamily::NotImplemented) refused = *other;
  }
  const bool of_dtype = refused.label.find("dtype") != std::string::npos || refused.label.ends_with(".result_type");
  if (others || refused.family != ErrorFamily::Runtime) return;
  if (order == Order::BeforeWritten && !of_dtype) return;
  if (order == Order::BeforeWritten && op.functional && op.functional->rule) {
    name_kernel_of_functional(call, refused);
  } else {
    name_kernel_first(call, self, refused);
  }
}

}  // namespace ersatz
