// What a fake mode remembers of the times it ran a real kernel on made-up inputs.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "runtime/op/op_entry.h"

namespace ersatz {

struct FallbackEvent {
  std::string op;           ///< canonical name
  std::string reason;       ///< why no rule answered
  Fill fill = Fill::Zeros;  ///< what the inputs held
  int64_t bytes = 0;        ///< of made-up inputs
  int64_t nanoseconds = 0;  ///< filling, kernel and mapping
  std::string source;       ///< the user's source line, if known
  int numbers = 0;          ///< results that are numbers: they come from the fill, not from data
  bool on_cpu = false;      ///< the CPU's kernel ran for fakes on CUDA (FakeOptions::fallback_on_cpu)
  bool failed = false;      ///< the kernel raised
};

/// One line for each event's op and fill, and a line of totals; `fallback: none` where there is no event:
///   aten.foo.default: 3 uses, 120 bytes of zeros, 0.4 ms (no rule), first at model.py:12
///   fallback: 3 uses of 1 op, 120 bytes, 0.4 ms
std::string fallback_summary(std::span<const FallbackEvent> events);

std::string_view name(Fill fill);              ///< `zeros`, `ones`, `ramp`, `random`, `identity`, `sample`
std::string_view name(FallbackPolicy policy);  ///< `rule`, `zeros`, `refuse`

}  // namespace ersatz
