// What a kernel gets: complete arguments and, usually, outputs that are already made.
//
// K1  A kernel may assume all that the rule promised; it never checks arguments, resizes, picks strides or refuses.
// K2  Outputs may have any strides (an `out=` argument is the caller's). Only for in-place calls of elementwise ops may
//     an output be the very memory of an input, element by element. Other overlaps are resolved before the kernel runs.
// K3  Only an op tagged FailsOnValues may fail, through `fail_on_value`, and only because of values.
// K4  A kernel of kind Returns makes its own results (plugins, data-dependent sizes); the rule never feeds it.
#pragma once

#include "runtime/base/context.h"
#include "runtime/op/value.h"

namespace ersatz {

struct OpEntry;

class KernelCall {
 public:
  const OpEntry& op;
  std::span<const Value> args;  ///< complete, in schema order
  std::span<Tensor> outputs;    ///< flat; made by the rule's answer (kind Fills)
  const RuleContext& context;

  bool has(size_t i) const { return !args[i].is_none(); }
  Tensor tensor(size_t i) const { return args[i].tensor(); }  ///< undefined for None
  int64_t integer(size_t i) const { return args[i].as_int().as_int(); }
  bool boolean(size_t i) const { return args[i].as_bool(); }
  double real(size_t i) const { return args[i].as_double(); }
  Scalar scalar(size_t i) const { return args[i].as_scalar(); }
  std::span<const int64_t> ints(size_t i) const { return as_ints(args[i].as_ints()); }
  std::span<const Value> list(size_t i) const { return args[i].as_list(); }
};

/// Fills `call.outputs`.
using FillKernel = void (*)(KernelCall& call);
/// Makes its results itself.
using ReturnKernel = void (*)(KernelCall& call, Values& results);

/// A value that the op cannot take (index out of range): `value_failure` is set, family as given.
template <class... A>
[[noreturn]] void fail_on_value(const KernelCall& call, ErrorFamily family, fmt::format_string<A...> format,
                                const A&... values);

namespace detail {
[[noreturn]] void raise_value_failure(const OpEntry& op, ErrorFamily, fmt::string_view format, fmt::format_args args);
}  // namespace detail
template <class... A>
void fail_on_value(const KernelCall& call, ErrorFamily family, fmt::format_string<A...> format, const A&... values) {
  detail::raise_value_failure(call.op, family, format, fmt::make_format_args(values...));
}

}  // namespace ersatz
