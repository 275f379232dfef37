#include "tracer/archive/json_text.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/base/error.h"

namespace ersatz::json_text {

std::string text(std::string_view v) {
  try {
    return nlohmann::json(v).dump(-1, ' ', true);
  } catch (const nlohmann::json::type_error&) {
    const std::string shown = nlohmann::json(v).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "the text {} is no UTF-8, which JSON needs", shown);
  }
}

std::string number(double v) {
  if (std::isnan(v)) return "\"NaN\"";
  if (std::isinf(v)) return v > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  return nlohmann::json(v).dump();
}

std::string object(const Members& members) {
  std::string out = "{";
  for (const auto& [key, value] : members) {
    if (out.size() > 1) out += ", ";
    out += text(key) + ": " + value;
  }
  return out + "}";
}

std::string list(std::span<const std::string> items) {
  std::string out = "[";
  for (const std::string& item : items) {
    if (out.size() > 1) out += ", ";
    out += item;
  }
  return out + "]";
}

}  // namespace ersatz::json_text
