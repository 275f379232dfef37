// Suggestions for a name that does not exist: existing names that are similar.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

/// Returns at most `most` names similar to `text`, the most similar first. If names are equally similar, shorter ones
/// come first. The order of similarity is:
/// 1. names that differ in case only;
/// 2. names that begin with `text`, if it has two letters or more;
/// 3. names with a small edit distance from `text` (insert, delete, replace, swap neighbours): at most a third of the
///    letters of `text`, or 1;
/// 4. names that contain `text`, if it has four letters or more.
std::vector<std::string> nearest_names(std::string_view text, std::span<const std::string> names, size_t most = 3);

/// Returns `; did you mean a, b or c?`; empty if `nearest` is empty.
std::string did_you_mean(const std::vector<std::string>& nearest);

}  // namespace ersatz
