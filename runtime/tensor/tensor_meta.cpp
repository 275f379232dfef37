#include "runtime/tensor/tensor_meta.h"

#include <cstddef>
#include <cstring>

#include "runtime/tensor/layout.h"

namespace ersatz {

std::string_view name(MemoryFormat f) {
  constexpr std::string_view names[] = {"contiguous", "preserve", "channels_last", "channels_last_3d"};
  return names[static_cast<int>(f)];
}

std::optional<MemoryFormat> parse_memory_format(std::string_view text) {
  if (text == "contiguous" || text == "contiguous_format") return MemoryFormat::Contiguous;
  if (text == "preserve" || text == "preserve_format") return MemoryFormat::Preserve;
  if (text == "channels_last") return MemoryFormat::ChannelsLast;
  if (text == "channels_last_3d") return MemoryFormat::ChannelsLast3d;
  return std::nullopt;
}

TensorMeta::TensorMeta(DType dtype, std::span<const SymInt> sizes, Device device)
    : dtype(dtype), device(device), sizes(sizes), strides(contiguous_strides(sizes)) {}

SymInt TensorMeta::numel() const {
  SymInt n = 1;
  for (SymInt s : sizes) n *= s;
  return n;
}

namespace {
bool are_identical(const DimVec& a, const DimVec& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!a[i].is_identical(b[i])) return false;
  return true;
}
}  // namespace

bool TensorMeta::operator==(const TensorMeta& o) const {
  // dtype, device and the flags are 8 adjacent bytes, so they are compared as one word.
  static_assert(sizeof dtype == 1 && sizeof device == 2 && offsetof(TensorMeta, wrapped_number) == 7);
  uint64_t mine, theirs;
  std::memcpy(&mine, &dtype, sizeof mine);
  std::memcpy(&theirs, &o.dtype, sizeof theirs);
  return mine == theirs && offset.is_identical(o.offset) && are_identical(sizes, o.sizes) &&
         are_identical(strides, o.strides);
}

}  // namespace ersatz
