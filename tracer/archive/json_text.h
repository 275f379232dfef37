// Writes JSON. Each function returns the text of one value, in ASCII, with spaces as Python's `json.dumps` writes them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ersatz::json_text {

/// Returns a JSON string. Raises NotSupported if `v` is not valid UTF-8.
std::string text(std::string_view v);
/// Returns a number that is parsed to the same double again. NaN and infinities become strings, for example
/// `"Infinity"`.
std::string number(double v);
inline std::string boolean(bool v) { return v ? "true" : "false"; }

/// The members of an object: each key without quotes, and the JSON text of its value.
using Members = std::vector<std::pair<std::string_view, std::string>>;
std::string object(const Members& members);
std::string list(std::span<const std::string> items);

}  // namespace ersatz::json_text
