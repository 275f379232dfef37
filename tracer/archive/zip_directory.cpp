#include "tracer/archive/zip_directory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

namespace ersatz {

static_assert(std::endian::native == std::endian::little, "numbers of ZIP files are little-endian");

namespace {

constexpr uint32_t kLocalHeader = 0x04034b50, kRow = 0x02014b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50;
constexpr uint32_t kLocator64 = 0x07064b50, kDescriptor = 0x08074b50;
constexpr uint64_t kEndBytes = 22, kMaxComment = 65535, kRowBytes = 46, kLocalBytes = 30;
constexpr uint16_t kHasDescriptor = 8, kZip64Field = 1;

template <class T>
T number(const char* at) {
  T n;
  std::memcpy(&n, at, sizeof n);
  return n;
}

struct Directory {
  uint64_t offset, entries;
};

/// From the end of the file, or from the larger end in front of it.
std::optional<Directory> find_directory(uint64_t file_size, const ReadAt& read) {
  std::string tail(std::min(file_size, kEndBytes + kMaxComment), '\0');
  if (tail.size() < kEndBytes || !read(file_size - tail.size(), tail)) return std::nullopt;
  size_t at = tail.size() - kEndBytes;
  while (number<uint32_t>(tail.data() + at) != kEnd) {
    if (at-- == 0) return std::nullopt;
  }
  const Directory small{number<uint32_t>(tail.data() + at + 16), number<uint16_t>(tail.data() + at + 10)};
  const uint64_t end = file_size - tail.size() + at;
  std::array<char, 20> locator;
  if (end < locator.size() || !read(end - locator.size(), locator) || number<uint32_t>(locator.data()) != kLocator64) {
    return small;
  }
  std::array<char, 56> large;
  if (!read(number<uint64_t>(locator.data() + 8), large) || number<uint32_t>(large.data()) != kEnd64) {
    return std::nullopt;
  }
  return Directory{number<uint64_t>(large.data() + 48), number<uint64_t>(large.data() + 32)};
}

/// The offset in the extra field for large files: it follows those sizes that are too large as well.
std::optional<uint64_t> large_offset(const std::string& row, std::string_view extra) {
  while (extra.size() >= 4) {
    const size_t size = number<uint16_t>(extra.data() + 2);
    if (extra.size() < 4 + size) return std::nullopt;
    if (number<uint16_t>(extra.data()) == kZip64Field) {
      size_t skip = 0;
      for (const size_t field : {24, 20}) skip += number<uint32_t>(row.data() + field) == UINT32_MAX ? 8 : 0;
      if (size < skip + 8) return std::nullopt;
      return number<uint64_t>(extra.data() + 4 + skip);
    }
    extra.remove_prefix(4 + size);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<uint64_t>> local_header_offsets(uint64_t file_size, const ReadAt& read) {
  const auto directory = find_directory(file_size, read);
  if (!directory || directory->entries > file_size / kRowBytes) return std::nullopt;
  std::vector<uint64_t> offsets;
  uint64_t at = directory->offset;
  for (uint64_t i = 0; i < directory->entries; ++i) {
    std::string row(kRowBytes, '\0');
    if (!read(at, row) || number<uint32_t>(row.data()) != kRow) return std::nullopt;
    const uint64_t name = number<uint16_t>(row.data() + 28), comment = number<uint16_t>(row.data() + 32);
    std::string extra(number<uint16_t>(row.data() + 30), '\0');
    if (!read(at + kRowBytes + name, extra)) return std::nullopt;
    uint64_t offset = number<uint32_t>(row.data() + 42);
    if (offset == UINT32_MAX) {
      const auto large = large_offset(row, extra);
      if (!large) return std::nullopt;
      offset = *large;
    }
    offsets.push_back(offset);
    at += kRowBytes + name + extra.size() + comment;
  }
  return offsets;
}

bool is_empty_entry(uint64_t offset, const ReadAt& read) {
  std::array<char, kLocalBytes> header;
  if (!read(offset, header) || number<uint32_t>(header.data()) != kLocalHeader) return false;
  if (!(number<uint16_t>(header.data() + 6) & kHasDescriptor)) return true;  // the header itself says it
  const uint64_t data =
      offset + kLocalBytes + number<uint16_t>(header.data() + 26) + number<uint16_t>(header.data() + 28);
  std::array<char, 16> descriptor;
  if (!read(data, descriptor) || number<uint32_t>(descriptor.data()) != kDescriptor) return false;
  return std::all_of(descriptor.begin() + 4, descriptor.end(), [](char c) { return c == 0; });
}

}  // namespace ersatz
