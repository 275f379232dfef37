// Reads the parts of a ZIP file that minizip does not check: the end records and the local headers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace ersatz {

/// A function that reads `to.size()` bytes at `offset`. It returns false if the file has fewer bytes.
using ReadAt = std::function<bool(uint64_t offset, std::span<char> to)>;

struct ZipDirectory {
  uint64_t offset, entries;
};
/// Finds the central directory through the end record at the file's end. Returns nullopt if there is no end record, or
/// if the directory does not end exactly where the end record (or the ZIP64 end record) begins.
std::optional<ZipDirectory> find_directory(uint64_t file_size, const ReadAt& read);

/// Returns whether the local header at `offset` has the name `name`.
bool is_header_of(std::string_view name, uint64_t offset, const ReadAt& read);

/// Returns whether the entry whose local header is at `offset` has no data. The header may leave checksum and sizes to
/// a data descriptor. Then the descriptor must follow the header directly, with zero in all its fields.
bool is_empty_entry(uint64_t offset, const ReadAt& read);

}  // namespace ersatz
