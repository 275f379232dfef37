// Suggestions for a name that does not exist: the most similar existing names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

/// At most `most` names similar to `text`, the most similar first; of equally similar ones, the shortest first. The
/// first group that has a name counts: names that differ in case only, then names that begin with `text` (of two
/// letters or more). The third group has names within an edit distance of a third of its letters (insert, delete,
/// replace, swap neighbours). The last one has names that contain `text` (of four letters or more). Empty if there is
/// none.
std::vector<std::string> nearest_names(std::string_view text, std::span<const std::string> names, size_t most = 3);

/// `; did you mean a, b or c?`; empty if `nearest` is empty.
std::string did_you_mean(const std::vector<std::string>& nearest);

}  // namespace ersatz
