// Texts of counts: `1 node`, `2 nodes`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ersatz {

/// Returns `n` and the noun `one`, for example `2 nodes` for (2, "node"). Unless `n` is 1, the noun gets an s.
std::string count_of(int64_t n, std::string_view one);

}  // namespace ersatz
