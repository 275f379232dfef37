// KernelCall: the argument of a kernel. It has the complete arguments and, for FillKernels, the outputs, which are
// already allocated.
//
// K1  A kernel may assume everything that the rule has checked. It never checks, resizes, picks strides or refuses.
// K2  Outputs may have any strides, because the caller chooses an `out=` argument. Only for in-place calls of
//     elementwise ops may an output be an input itself, element by element. Dispatch resolves other overlaps before the
//     kernel runs.
// K3  Only an op tagged FailsOnValues may fail, and only because of values: by `fail_on_value`, or on CUDA by a note
//     for the host (value_checks.h).
// K4  A ReturnKernel makes its own results (plugins, data-dependent sizes); the rule's outputs are not given to it.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

struct OpEntry;

class KernelCall {
 public:
  const OpEntry& op;
  std::span<const Value> args;  ///< complete, in schema order
  std::span<Tensor> outputs;    ///< with lists expanded, allocated from the rule's outputs; empty for a ReturnKernel
  const RuleContext& context;

  const Value& operator[](Position i) const {
    detail::require_argument_name(op, args.size(), i);
    return args[i];
  }
  bool has(Position i) const { return !(*this)[i].is_none(); }
  Tensor tensor(Position i) const { return (*this)[i].tensor(); }  ///< an undefined Tensor for None
  int64_t integer(Position i) const { return (*this)[i].as_int64(); }
  bool boolean(Position i) const { return (*this)[i].as_bool(); }
  double real(Position i) const { return (*this)[i].as_double(); }
  Scalar scalar(Position i) const { return (*this)[i].as_scalar(); }
  std::span<const int64_t> ints(Position i) const { return as_ints((*this)[i].as_ints()); }
  std::span<const Value> list(Position i) const { return (*this)[i].as_list(); }
};

// Types of kernel functions. An op's file uses them to declare the functions that its `_cpu.cpp` file defines: `Kernel
// run_cpu, run_dims_cpu;`.
// A FillKernel writes into `call.outputs`.
using Kernel = void(KernelCall& call);
using FillKernel = Kernel*;
/// A ReturnKernel allocates its results and appends them to `results`.
using ReturningKernel = void(KernelCall& call, Values& results);
using ReturnKernel = ReturningKernel*;

/// Raises an error for a value that the op cannot use, for example an index out of range. The error has class `family`
/// and its `value_failure` is set.
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
