// What a fake mode remembers of the times it ran a real kernel on made-up inputs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/op_entry.h"

namespace ersatz {

struct FallbackEvent {
  std::string op;           ///< canonical name
  std::string reason;       ///< why no rule answered
  Fill fill = Fill::Zeros;  ///< what the inputs held
  int64_t bytes = 0;        ///< of made-up inputs
  int64_t nanoseconds = 0;  ///< filling, kernel and mapping
  int numbers = 0;          ///< results that are numbers: they come from the fill, not from data
  bool failed = false;      ///< the kernel raised
};
using FallbackLog = std::vector<FallbackEvent>;

std::string_view name(Fill fill);              ///< `zeros`, `ones`, `ramp`, `random`
std::string_view name(FallbackPolicy policy);  ///< `rule`, `zeros`, `refuse`

}  // namespace ersatz
