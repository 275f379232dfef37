// When PyTorch looks for a kernel of a limited dtype (kLimitedDTypes): before its other checks, after them, or not at
// all because no element is computed. Facts by operator, which are read only where a call is refused.
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
    AsRule,         ///< as the rule and the written form have it
    First,          ///< a missing kernel is named before what else is wrong with dtypes, layouts and values
    BySelf,         ///< by the dtype of `self`, or of the first argument: its missing kernel is named first, and for
                    ///< other dtypes none is looked for where something else is wrong
    BeforeWritten,  ///< ... before the dtype of a written argument
    Last            ///< what else is wrong with the call is named first
  };
  Order order = Order::AsRule;
  /// The limited dtypes that the operator takes where it computes no element. No value: `takes_limited` in rule.cpp
  /// decides.
  std::optional<DTypeSet> when_empty;
  DTypeSet taken_on_cuda;  ///< limited dtypes that only CUDA's kernels take, beside `OpEntry::limited_dtypes`
  DTypeSet asserted;       ///< limited dtypes that are refused by an assertion: a RuntimeError
};

/// The facts of an operator; the defaults where kernels/kernel_search.def has no row for it.
const KernelSearch& kernel_search(std::string_view op);
/// Stores the facts of an operator. Called at registration.
void set_kernel_search(std::string_view op, const KernelSearch& search);

/// While an object exists, rules of this thread do not refuse a missing kernel, so that they make their other checks.
class KernelSearchedLast {
 public:
  KernelSearchedLast();
  ~KernelSearchedLast();
  KernelSearchedLast(const KernelSearchedLast&) = delete;
  KernelSearchedLast& operator=(const KernelSearchedLast&) = delete;
  static bool now();
};

/// Two things may be wrong with a call, one of them a missing kernel: makes `refused` the one that PyTorch names.
void put_in_order(const OpEntry& op, std::span<const Value> args, Error& refused);

}  // namespace ersatz
