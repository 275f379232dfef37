// The words that the line `untold strides, offsets` of the text form may have.
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

/// Returns the member of Untold that the word names; null if it is unknown.
inline bool Untold::*untold_field(std::string_view word) {
  for (const auto& [name, field] : kUntoldWords) {
    if (name == word) return field;
  }
  return nullptr;
}

}  // namespace ersatz
