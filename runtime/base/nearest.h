// Which of the names there are somebody may have meant by a name that there is not.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

/// The names nearest to `text`, at most `most`, nearest first, of the same distance the shortest: those
/// that differ in case only; else those that begin with it (two letters of it at least); else those within a third of
/// its letters left out, added, changed or exchanged with their neighbour; else those that hold four letters or more of
/// it as a whole. Empty where none is near.
std::vector<std::string> nearest_names(std::string_view text, std::span<const std::string> names, size_t most = 3);

/// `; did you mean a, b or c?`; empty where none is near.
std::string did_you_mean(const std::vector<std::string>& nearest);

}  // namespace ersatz
