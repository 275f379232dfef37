#include "runtime/base/float_text.h"

#include <fmt/format.h>

#include <cmath>

namespace ersatz {

std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  std::string text = fmt::format("{}", value);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

}  // namespace ersatz
