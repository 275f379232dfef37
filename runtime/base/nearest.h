// Suggestions for a name that does not exist: existing names that are similar.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

/// Returns at most `most` names similar to `text`, the most similar first, and shorter ones first if equally similar.
/// 1. Names that differ in case only. 2. Names that begin with `text`, if it has two letters or more.
/// 3. Names that at most a third as many edits (insert, delete, replace, swap neighbours) as `text` has letters turn
/// into `text`; one edit is always allowed. 4. Names that contain `text`, if it has four letters or more.
std::vector<std::string> nearest_names(std::string_view text, std::span<const std::string> names, size_t most = 3);

/// `; did you mean a, b or c?`; empty if `nearest` is empty.
std::string did_you_mean(const std::vector<std::string>& nearest);

}  // namespace ersatz
