// The moment at which PyTorch looks for the kernel of a limited dtype (kLimitedDTypes): before its other checks, after
// them, or never because no element is computed. These facts by operator are read only when a call is refused.
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
    AsRule,         ///< in the order of the rule and of the written form
    First,          ///< the error of a missing kernel comes before errors of dtypes, layouts and values
    BySelf,         ///< by the dtype of `self`, or of the first argument: its missing kernel is named first, and for
                    ///< other dtypes none is looked for where something else is wrong
    BeforeWritten,  ///< ... before the dtype of a written argument
    Last            ///< what else is wrong with the call is named first
  };
  Order order = Order::AsRule;
  /// The limited dtypes that the operator takes if it computes no element. No value: `takes_limited` in rule.cpp
  /// decides.
  std::optional<DTypeSet> when_empty;
  DTypeSet taken_on_cuda;  ///< limited dtypes that only CUDA's kernels take, in addition to `OpEntry::limited_dtypes`
  DTypeSet asserted;       ///< limited dtypes for which PyTorch fails an assertion, that is, raises a RuntimeError
};

/// Returns the facts of an operator: its row in kernels/kernel_search.def, or the defaults.
const KernelSearch& kernel_search(std::string_view op);
/// Stores the facts of an operator. Called at registration.
void set_kernel_search(std::string_view op, const KernelSearch& search);

/// While an object exists, rules of this thread raise no missing kernel's error, so they make their other checks.
class KernelSearchedLast {
 public:
  KernelSearchedLast();
  ~KernelSearchedLast();
  KernelSearchedLast(const KernelSearchedLast&) = delete;
  KernelSearchedLast& operator=(const KernelSearchedLast&) = delete;
  static bool now();
};

/// REQUIRES: the rule raised `refused`. If the call has two faults and one is a missing kernel, makes `refused` the
/// error that PyTorch raises first.
void put_in_order(const OpEntry& op, std::span<const Value> args, Error& refused);

}  // namespace ersatz
