// `1 node`, `2 nodes`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ersatz {

/// A number and what it counts, named in the singular; the plural is with an s.
std::string count_of(int64_t n, std::string_view one);

}  // namespace ersatz
