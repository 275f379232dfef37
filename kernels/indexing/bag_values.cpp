#include "kernels/indexing/bag_values.h"

namespace ersatz {

std::string row_words(int64_t index, int64_t position, int64_t rows) {
  const std::string at = position < 0 ? "" : fmt::format(" at position {}", position);
  return fmt::format("index {}{} is none of {} rows", index, at, rows);
}
std::string bag_words(int64_t bag, int64_t bags) { return fmt::format("bag {} is none of {}", bag, bags); }
std::string offset_words(int64_t offset, int64_t position, int64_t indices) {
  return fmt::format("offset {} is {}, it must lie in [0, {}]", position, offset, indices);
}

void check_row(const KernelCall& call, int64_t index, int64_t position, int64_t rows) {
  if (index < 0 || index >= rows) fail_on_value(call, ErrorFamily::Runtime, "{}", row_words(index, position, rows));
}
void check_rows(const KernelCall& call, std::span<const int64_t> indices, int64_t rows) {
  bool wrong = false;
  for (const int64_t index : indices) wrong |= static_cast<uint64_t>(index) >= static_cast<uint64_t>(rows);
  if (!wrong) return;
  for (size_t i = 0; i < indices.size(); ++i) check_row(call, indices[i], static_cast<int64_t>(i), rows);
}

void check_bags(const KernelCall& call, std::span<const int64_t> names, int64_t bags) {
  for (const int64_t bag : names) {
    if (bag < 0 || bag >= bags) fail_on_value(call, ErrorFamily::Runtime, "{}", bag_words(bag, bags));
  }
}
void check_offsets(const KernelCall& call, std::span<const int64_t> offsets, int64_t indices) {
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] < 0 || offsets[i] > indices)
      fail_on_value(call, ErrorFamily::Index, "{}", offset_words(offsets[i], static_cast<int64_t>(i), indices));
  }
}

}  // namespace ersatz
