// The central directory of a ZIP file, as far as libzip does not tell: where each entry begins.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace ersatz {

/// Reads bytes at an offset of the file; false where they are not all there.
using ReadAt = std::function<bool(uint64_t offset, std::span<char> to)>;

/// Offsets of the entries' local headers, in the directory's order; empty where the directory cannot be followed.
std::optional<std::vector<uint64_t>> local_header_offsets(uint64_t file_size, const ReadAt& read);

/// Does an entry without data, whose local header is at `offset`, end there? One whose header leaves checksum and sizes
/// to a descriptor behind the data must have that descriptor at once, and it must say the same.
bool is_empty_entry(uint64_t offset, const ReadAt& read);

}  // namespace ersatz
