// NVIDIA does not document the layout; it was derived from the output of nvcc 13.0. A wrapper points to a container of
// consecutive entries. Entries of kind 1 are PTX, as text or as a Zstandard frame.
#include "tests/ptx/fat_binary.h"

#include <zstd.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace ersatz::ptx {
namespace {

struct Wrapper {
  uint32_t magic, version;
  const char* container;
  const void* unused;
};
struct Container {
  uint32_t magic;
  uint16_t version, header_bytes;
  uint64_t bytes;
};
struct Entry {
  uint16_t kind, version;
  uint32_t header_bytes;
  uint64_t bytes;  ///< size with padding
  uint32_t compressed_bytes;
};
constexpr uint32_t kWrapperMagic = 0x466243b1, kContainerMagic = 0xba55ed50;
constexpr uint16_t kPtx = 1;

template <class T>
T at(const char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

std::string text_of(const char* data, const Entry& entry) {
  const unsigned long long bytes = ZSTD_getFrameContentSize(data, entry.bytes);
  if (bytes != ZSTD_CONTENTSIZE_ERROR && bytes != ZSTD_CONTENTSIZE_UNKNOWN) {
    std::string text(bytes, '\0');
    const size_t n = ZSTD_decompress(text.data(), text.size(), data, ZSTD_findFrameCompressedSize(data, entry.bytes));
    if (ZSTD_isError(n)) throw std::runtime_error(std::string("PTX in a fat binary: ") + ZSTD_getErrorName(n));
    text.resize(std::strlen(text.c_str()));
    return text;
  }
  const std::string text(data, strnlen(data, entry.bytes));
  if (text.find(".version") == text.npos)
    throw std::runtime_error("PTX in a fat binary: a compression that is not known");
  return text;
}

}  // namespace

std::vector<std::string> ptx_of_fat_binary(const void* given) {
  const auto wrapper = at<Wrapper>(static_cast<const char*>(given));
  const auto container = at<Container>(wrapper.container);
  if (wrapper.magic != kWrapperMagic || container.magic != kContainerMagic)
    throw std::runtime_error("a fat binary of a layout that is not known");
  std::vector<std::string> texts;
  const char* p = wrapper.container + container.header_bytes;
  const char* const end = p + container.bytes;
  while (p < end) {
    const auto entry = at<Entry>(p);
    if (entry.kind == kPtx) texts.push_back(text_of(p + entry.header_bytes, entry));
    p += entry.header_bytes + entry.bytes;
  }
  return texts;
}

}  // namespace ersatz::ptx
