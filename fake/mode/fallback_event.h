// A fallback of a fake mode: one run of a real kernel on synthetic inputs.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "runtime/op/op_entry.h"

namespace ersatz {

struct FallbackEvent {
  std::string op;           ///< the op's full name, `aten.foo.default`
  std::string reason;       ///< the reason why no rule answered
  Fill fill = Fill::Zeros;  ///< the elements of the inputs
  int64_t bytes = 0;        ///< bytes of the synthetic inputs
  int64_t nanoseconds = 0;  ///< time to fill the inputs, run the kernel and map its results
  std::string source;       ///< the user's source line, if known
  int numbers = 0;          ///< number of results that are numbers; the fill determined their values
  bool on_cpu = false;      ///< the CPU's kernel ran in place of the device's (FakeOptions::fallback_on_cpu)
  bool failed = false;      ///< the kernel raised an error
};

/// Returns one line for each op, fill and reason, and a line of totals; `fallback: none` without events:
///   aten.foo.default: 3 uses, 120 bytes of zeros, 0.4 ms (no rule), first at model.py:12
///   fallback: 3 uses of 1 op, 120 bytes, 0.4 ms
std::string fallback_summary(std::span<const FallbackEvent> events);

std::string_view name(Fill fill);              ///< `zeros`, `ones`, `ramp`, `random`, `identity`, `sample`
std::string_view name(FallbackPolicy policy);  ///< `rule`, `zeros`, `refuse`

}  // namespace ersatz
