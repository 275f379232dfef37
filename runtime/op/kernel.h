// KernelCall, the argument of a kernel: complete arguments and, for FillKernels, outputs that are already allocated.
//
// K1  A kernel may assume all that the rule promised; it never checks arguments, resizes, picks strides or refuses.
// K2  Outputs may have any strides (an `out=` argument is the caller's). Only for in-place calls of elementwise ops may
//     an output be the very memory of an input, element by element. Other overlaps are resolved before the kernel runs.
// K3  Only an op tagged FailsOnValues may fail, by `fail_on_value` or a note on CUDA (value_checks.h), and for values.
// K4  A kernel of kind Returns makes its own results (plugins, data-dependent sizes); the rule never feeds it.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

struct OpEntry;

class KernelCall {
 public:
  const OpEntry& op;
  std::span<const Value> args;  ///< complete, in schema order
  std::span<Tensor> outputs;    ///< flat; made as the rule says (kind Fills)
  const RuleContext& context;

  const Value& operator[](Position i) const {
    detail::require_argument_name(op, args.size(), i);
    return args[i];
  }
  bool has(Position i) const { return !(*this)[i].is_none(); }
  Tensor tensor(Position i) const { return (*this)[i].tensor(); }  ///< undefined for None
  int64_t integer(Position i) const { return (*this)[i].as_int64(); }
  bool boolean(Position i) const { return (*this)[i].as_bool(); }
  double real(Position i) const { return (*this)[i].as_double(); }
  Scalar scalar(Position i) const { return (*this)[i].as_scalar(); }
  std::span<const int64_t> ints(Position i) const { return as_ints((*this)[i].as_ints()); }
  std::span<const Value> list(Position i) const { return (*this)[i].as_list(); }
};

// Types of kernel functions. An op's file declares the functions of its `_cpu.cpp` with them: `Kernel run_cpu,
// run_dims_cpu;`
// A FillKernel writes into `call.outputs`.
using Kernel = void(KernelCall& call);
using FillKernel = Kernel*;
/// A ReturnKernel allocates its results and appends them to `results`.
using ReturningKernel = void(KernelCall& call, Values& results);
using ReturnKernel = ReturningKernel*;

/// Raises an error for a value that the op cannot take (index out of range). The error has `value_failure` set and the
/// given family.
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
