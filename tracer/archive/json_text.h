// Spelling JSON piece by piece: each function gives the text of one value, in ASCII, as Python's `json.dumps` spaces
// it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ersatz::json_text {

/// A string. NotSupported where it is no UTF-8.
std::string text(std::string_view v);
/// A number that reads back to the same double; what is not finite is a string, `"Infinity"`.
std::string number(double v);
inline std::string boolean(bool v) { return v ? "true" : "false"; }

/// The values are JSON texts, the keys plain ones.
using Members = std::vector<std::pair<std::string_view, std::string>>;
std::string object(const Members& members);
std::string list(std::span<const std::string> items);

}  // namespace ersatz::json_text
