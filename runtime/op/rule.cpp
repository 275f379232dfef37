#include "runtime/op/rule.h"

#include <algorithm>

#include "runtime/op/error_classes.h"
#include "runtime/op/kernel.h"
#include "runtime/op/kernel_search.h"
#include "runtime/op/op_entry.h"

namespace ersatz {

namespace {
[[noreturn]] void raise_for_op(const OpEntry& op, ErrorKind kind, ErrorFamily family, std::string_view label,
                               fmt::string_view format, fmt::format_args args, bool value_failure) {
  std::string message = fmt::format("{}: {}", op.base(), fmt::vformat(format, args));
  std::string full_label;
  if (!label.empty()) {
    // The label is the op's base name and the constraint: `flip.C1`.
    full_label = fmt::format("{}.{}", op.base(), label);
    message += fmt::format(" [{}]", full_label);
  }
  Error e(kind, family, std::move(message));
  e.op = op.base();
  e.label = std::move(full_label);
  const TorchVersion version = rule_context().torch;
  e.family = e.label.empty() && kind == ErrorKind::NotSupported
                 ? family_of_missing_kernel(e.op, std::nullopt, family, version)
                 : family_of_label(e.label, family, version);
  e.value_failure = value_failure;
  throw e;
}
}  // namespace

namespace {
std::span<const Value> without_outs(const RuleCall& call) {
  return call.args.first(call.args.size() - static_cast<size_t>(call.op.out_arguments));
}

/// Is an input without elements, or are all tensors of limited dtypes in one tensor list empty? In that case, most
/// PyTorch operators compute nothing.
bool has_nothing(const RuleCall& call, DType t) {
  bool any = false, empty = true;
  const std::span<const Value> inputs = without_outs(call);
  for (size_t i = 0; i < inputs.size(); ++i) {
    // An empty `out=` argument of a packed dtype does not count, because no kernel reads packed elements as numbers.
    const bool is_out = call.op.schema.arguments[i].keyword_only && std::ranges::count(call.op.written, i) > 0;
    if (is_packed(t) && is_out) continue;
    const Value& v = inputs[i];
    if (v.is_tensor() && size_eq(v.tensor_impl()->meta.numel(), 0)) return true;
    for_each_tensor(std::span(&v, 1), [&](const TensorImpl* tensor) {
      if (!kLimitedDTypes.has(tensor->meta.dtype)) return;
      any = true;
      empty = empty && size_eq(tensor->meta.numel(), 0);
    });
  }
  return any && empty;
}

/// Is `t` a limited dtype for which the op has a kernel on the call's device?
bool has_kernel(const RuleCall& call, DType t) {
  if (!kLimitedDTypes.has(t)) return false;
  return call.op.limited_dtypes.has(t) || (call.device.is_cuda() && kernel_search(call.op.name).taken_on_cuda.has(t));
}

/// Is `t` a limited dtype that the op takes? If a call computes no element, PyTorch looks for a kernel only in
/// elementwise loops (TensorIterator), so other ops take `t`.
bool takes_limited(const RuleCall& call, DType t) {
  if (!kLimitedDTypes.has(t)) return false;
  if (has_kernel(call, t)) return true;
  if (const std::optional<DTypeSet>& taken = kernel_search(call.op.name).when_empty)
    return taken->has(t) && has_nothing(call, t);
  if (call.op.tags.has(Tag::Pointwise) || call.op.tags.has(Tag::Factory)) return false;
  // PyTorch operators that take only floats check that themselves, so they refuse integers even if there are no
  // elements.
  const DTypeSet taken = (call.op.functional ? *call.op.functional : call.op).cpu_dtypes;
  const bool of_its_kind = taken == DTypeSet() || !kWideUnsigned.has(t) || taken.has(DType::I64);
  return of_its_kind && has_nothing(call, t);
}

/// Does the op have a `dtype` argument? If so, PyTorch converts the inputs, and only the result's dtype selects the
/// kernel.
bool converts_inputs(const OpEntry& op) {
  return std::ranges::any_of(op.schema.arguments, [](const Argument& a) { return a.name == "dtype"; });
}

/// Does the op read only metadata of its tensor? PyTorch names these operators `new_*` and `*_like`.
bool reads_no_elements(const OpEntry& op) { return op.base().starts_with("new_") || op.base().ends_with("_like"); }

/// Is the argument `value` a 0-d tensor? PyTorch reads it as a number, so its dtype matters only if it is packed.
bool is_number_in_tensor(const RuleCall& call, size_t argument) {
  const Value& v = call.args[argument];
  return call.op.schema.arguments[argument].name == "value" && v.is_tensor() && v.tensor_impl()->meta.dim() == 0;
}
}  // namespace

namespace {
[[noreturn]] void refuse_dtype(const RuleCall& call, DType t, DTypeSet set) {
  std::string others;
  for (int d = 0; d < kDTypeCount; ++d) {
    const auto other = static_cast<DType>(d);
    if (set.has(other)) others += fmt::format("{}{}", others.empty() ? "" : ", ", name(other));
  }
  try {
    call.not_supported("not implemented for {} on {}", name(t), name(call.device.type));
  } catch (Error& e) {
    e.suggestion = fmt::format("convert it to one of {}", others);
    e.family = family_of_missing_kernel(e.op, t, ErrorFamily::NotImplemented, call.context.torch);
    if (kLimitedDTypes.has(t) && kernel_search(call.op.name).asserted.has(t)) e.family = ErrorFamily::Runtime;
    throw;
  }
}

/// Stores the error of a missing kernel in `out.no_kernel`; callers raise it after their other checks. If
/// `out.no_kernel` is null, rethrows the error. While a KernelSearchedLast exists, drops the error. REQUIRES: called
/// inside a catch block for the error.
void wait(const RuleCall& call, const Error& no_kernel) {
  if (KernelSearchedLast::now()) return;
  if (!call.out.no_kernel) throw;
  if (!*call.out.no_kernel) *call.out.no_kernel = no_kernel;
}
}  // namespace

RuleCall RuleCall::functional(RuleResult& result) const {
  result.symbols = out.symbols;
  if (!result.no_kernel) result.no_kernel = out.no_kernel;
  return {*op.functional, args.first(op.functional->schema.arguments.size()), context, device, result};
}

void RuleCall::ask_functional(RuleResult& result) const {
  struct Asked {
    const RuleResult& functional;
    RuleResult& derived;
    ~Asked() { derived.dtype_asked |= functional.dtype_asked; }
  } const asked{result, out};
  RuleCall call = functional(result);
  call.op.rule(call);
}

void RuleCall::raise(ErrorKind kind, ErrorFamily family, std::string_view label, fmt::string_view format,
                     fmt::format_args args) const {
  raise_for_op(op, kind, family, label, format, args, false);
}

void RuleCall::require_dtype(DType t, DTypeSet set) const {
  out.dtype_asked = true;
  if (set.has(t)) [[likely]]
    return;
  if (takes_limited(*this, t)) return;
  try {
    refuse_dtype(*this, t, set);
  } catch (const Error& e) {
    wait(*this, e);
  }
}

void RuleCall::require_limited_dtypes() const {
  if (out.dtype_asked || device.is_meta()) return;
  const auto require = [&](DType t) {
    if (kLimitedDTypes.has(t)) require_dtype(t, kAllDTypes);
  };
  const bool converts = converts_inputs(op), of_metadata = reads_no_elements(op);
  const std::span<const Value> inputs = without_outs(*this);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool converted = converts || op.tags.has(Tag::Factory) || is_number_in_tensor(*this, i);
    for_each_tensor(inputs.subspan(i, 1), [&](const TensorImpl* t) {
      if (of_metadata) return;
      if (!converted || (is_packed(t->meta.dtype) && !op.tags.has(Tag::Factory))) require(t->meta.dtype);
    });
  }
  if (op.out_arguments > 0) {  // PyTorch converts results to the dtype of `out=`
    if (op.form.dtype_argument != WrittenForm::kNone)
      for_each_tensor(args.subspan(inputs.size()), [&](const TensorImpl* t) { require(t->meta.dtype); });
    return;
  }
  for (const OutputSpec& o : out.outputs) {
    if (o.kind == OutputSpec::Kind::Fresh) require(o.meta.dtype);
  }
}

void RuleCall::require_dtype_first(DType t, DTypeSet set) const {
  out.dtype_asked = true;
  if (set.has(t)) [[likely]]
    return;
  if (has_kernel(*this, t)) return;
  const std::optional<DTypeSet>& when_empty = kernel_search(op.name).when_empty;
  if (when_empty && when_empty->has(t) && has_nothing(*this, t)) return;
  refuse_dtype(*this, t, set);
}

int64_t RuleCall::wrap_dim(int64_t d, int64_t rank) const {
  int64_t limit = rank == 0 ? 1 : rank;
  if (d < -limit || d >= limit) [[unlikely]] {
    refuse(ErrorFamily::Index, "dim", "dim {} is out of range: expected {} to {}", d, -limit, limit - 1);
  }
  return d < 0 ? d + limit : d;
}

#ifndef NDEBUG
void detail::require_argument_name(const OpEntry& op, size_t count, Position position) {
  const std::vector<Argument>& arguments = op.schema.arguments;
  if (count != arguments.size() || position.name().empty() || position.name().find('{') != std::string_view::npos)
    return;
  ERSATZ_ASSERT(position < arguments.size() && arguments[position].name == position.name(),
                "argument {} of {} is not `{}`: its function names the arguments of another op",
                static_cast<size_t>(position), op.name, position.name());
}
#endif

void detail::raise_value_failure(const OpEntry& op, ErrorFamily family, fmt::string_view format,
                                 fmt::format_args args) {
  raise_for_op(op, ErrorKind::InvalidArgument, family, "value", format, args, true);
}

}  // namespace ersatz

auto fmt::formatter<std::span<const ersatz::SymInt>>::format(std::span<const ersatz::SymInt> v,
                                                             fmt::format_context& to) const
    -> fmt::format_context::iterator {
  std::string text = "[";
  for (size_t i = 0; i < v.size(); ++i) text += (i ? ", " : "") + ersatz::to_string(v[i]);
  text += ']';
  return std::copy(text.begin(), text.end(), to.out());
}
