// The words of the line `untold strides, offsets` in the text form.
#pragma once

#include <string_view>
#include <utility>

#include "tracer/program/program.h"

namespace ersatz {

inline constexpr std::pair<std::string_view, bool Untold::*> kUntoldWords[] = {{"strides", &Untold::strides},
                                                                               {"offsets", &Untold::offsets},
                                                                               {"dtypes", &Untold::dtypes},
                                                                               {"devices", &Untold::devices},
                                                                               {"list_ends", &Untold::list_ends}};

/// Returns the field of the word, null if it is unknown.
inline bool Untold::*untold_field(std::string_view word) {
  for (const auto& [name, field] : kUntoldWords) {
    if (name == word) return field;
  }
  return nullptr;
}

}  // namespace ersatz
