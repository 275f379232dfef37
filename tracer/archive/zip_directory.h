// What a ZIP file says beside its entries' data, as far as minizip does not compare it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace ersatz {

/// Reads bytes at an offset of the file; false where they are not all there.
using ReadAt = std::function<bool(uint64_t offset, std::span<char> to)>;

struct ZipDirectory {
  uint64_t offset, entries;
};
/// The directory, by the record at the file's end; none where there is no such record, or where the directory does not
/// end where that record, or the larger one in front of it, begins.
std::optional<ZipDirectory> find_directory(uint64_t file_size, const ReadAt& read);

/// Does the header at `offset`, which stands in front of an entry's data, have that name?
bool is_header_of(std::string_view name, uint64_t offset, const ReadAt& read);

/// Does an entry without data, whose header is at `offset`, end there? One whose header leaves checksum and sizes to a
/// descriptor behind the data must have that descriptor at once, and it must say the same.
bool is_empty_entry(uint64_t offset, const ReadAt& read);

}  // namespace ersatz
