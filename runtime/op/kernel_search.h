// Says when PyTorch looks for the kernel of a dtype in kLimitedDTypes: before its other checks, after them, or, for
// calls that compute no element, never. The facts of an operator are read only when its call is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/base/dtype.h"

namespace ersatz {

class Error;
class Value;
struct OpEntry;

struct KernelSearch {
  enum class Order : uint8_t {
    AsRule,         ///< when the op's rule, or the check of the written argument, calls require_dtype
    First,          ///< before errors of dtypes, layouts and values
    BySelf,         ///< First if `self` (else the first argument) has a dtype of kLimitedDTypes, else Last
    BeforeWritten,  ///< before errors about the dtype of a written argument, but after all other errors
    Last            ///< after all other errors of the call
  };
  Order order = Order::AsRule;
  /// The dtypes of kLimitedDTypes that the operator takes if it computes no element. If nullopt, `takes_limited` in
  /// rule.cpp decides.
  std::optional<DTypeSet> when_empty;
  DTypeSet taken_on_cuda;  ///< dtypes that only CUDA's kernels take, in addition to `OpEntry::limited_dtypes`
  DTypeSet asserted;       ///< dtypes for which an internal assertion of PyTorch fails, which is a RuntimeError
};

/// Returns the row of operator `op` in kernels/kernel_search.def, or the defaults.
const KernelSearch& kernel_search(std::string_view op);
/// Stores the row of an operator. Called while operators are registered.
void set_kernel_search(std::string_view op, const KernelSearch& search);

/// While a KernelSearchedLast exists, rules of this thread do not raise the error of a missing kernel, so that their
/// other checks run.
class KernelSearchedLast {
 public:
  KernelSearchedLast();
  ~KernelSearchedLast();
  KernelSearchedLast(const KernelSearchedLast&) = delete;
  KernelSearchedLast& operator=(const KernelSearchedLast&) = delete;
  static bool now();
};

/// If the call has two faults and one is a missing kernel, replaces `refused` by the error that PyTorch raises first.
/// REQUIRES: the op's rule raised `refused` for this call.
void put_in_order(const OpEntry& op, std::span<const Value> args, Error& refused);

}  // namespace ersatz
