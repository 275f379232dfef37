#include "tracer/archive/zip_directory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

namespace ersatz {

static_assert(std::endian::native == std::endian::little, "numbers of ZIP files are little-endian");

namespace {

constexpr uint32_t kLocalHeader = 0x04034b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50;
constexpr uint32_t kLocator64 = 0x07064b50, kDescriptor = 0x08074b50;
constexpr uint64_t kEndBytes = 22, kMaxComment = 65535, kLocalBytes = 30;
constexpr uint16_t kHasDescriptor = 8;

template <class T>
T number(const char* at) {
  T n;
  std::memcpy(&n, at, sizeof n);
  return n;
}

/// Returns the directory at `offset` with `bytes` bytes if it ends exactly at `end`; else nullopt.
std::optional<ZipDirectory> ending_at(uint64_t end, uint64_t offset, uint64_t bytes, uint64_t entries) {
  if (offset > end || bytes != end - offset) return std::nullopt;
  return ZipDirectory{offset, entries};
}

}  // namespace

std::optional<ZipDirectory> find_directory(uint64_t file_size, const ReadAt& read) {
  std::string tail(std::min(file_size, kEndBytes + kMaxComment), '\0');
  if (tail.size() < kEndBytes || !read(file_size - tail.size(), tail)) return std::nullopt;
  size_t at = tail.size() - kEndBytes;
  while (number<uint32_t>(tail.data() + at) != kEnd) {
    if (at-- == 0) return std::nullopt;
  }
  const char* const small = tail.data() + at;
  const uint64_t end = file_size - tail.size() + at;
  std::array<char, 20> locator;
  if (end < locator.size() || !read(end - locator.size(), locator) || number<uint32_t>(locator.data()) != kLocator64) {
    return ending_at(end, number<uint32_t>(small + 16), number<uint32_t>(small + 12), number<uint16_t>(small + 10));
  }
  const auto end64 = number<uint64_t>(locator.data() + 8);
  std::array<char, 56> large;
  if (!read(end64, large) || number<uint32_t>(large.data()) != kEnd64) return std::nullopt;
  return ending_at(end64, number<uint64_t>(large.data() + 48), number<uint64_t>(large.data() + 40),
                   number<uint64_t>(large.data() + 32));
}

bool is_header_of(std::string_view name, uint64_t offset, const ReadAt& read) {
  std::array<char, kLocalBytes> header;
  if (!read(offset, header) || number<uint32_t>(header.data()) != kLocalHeader) return false;
  std::string there(number<uint16_t>(header.data() + 26), '\0');
  return there.size() == name.size() && read(offset + kLocalBytes, there) && there == name;
}

bool is_empty_entry(uint64_t offset, const ReadAt& read) {
  std::array<char, kLocalBytes> header;
  if (!read(offset, header) || number<uint32_t>(header.data()) != kLocalHeader) return false;
  // Without a descriptor the sizes are in this header, and minizip has compared them with the directory.
  if (!(number<uint16_t>(header.data() + 6) & kHasDescriptor)) return true;
  const uint64_t data =
      offset + kLocalBytes + number<uint16_t>(header.data() + 26) + number<uint16_t>(header.data() + 28);
  std::array<char, 16> descriptor;
  if (!read(data, descriptor) || number<uint32_t>(descriptor.data()) != kDescriptor) return false;
  return std::all_of(descriptor.begin() + 4, descriptor.end(), [](char c) { return c == 0; });
}

}  // namespace ersatz
