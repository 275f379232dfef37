// The text form of metadata, `f32[2,3]{3,1}+0@cuda:0`: functions that print it and parse it.
//
//   dtype[sizes]{strides}+offset@device, then optional suffixes in this order:
//   ` conj`, ` neg`, ` grad`, ` storage=96B`, ` ~NAME` or ` ~NAME[a:b)` (shares NAME's storage, bytes a to b)
//
// MetaStyle::People omits row-major strides and a zero offset; MetaStyle::Full writes every field. Sizes and strides
// may be expressions, which have commas only inside parentheses: `f32[s0,3]{3,1}+0@cpu`.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

class ShapeEnv;

enum class MetaStyle : uint8_t { Full, People };

/// A tensor's metadata and the optional suffixes of its text form.
struct MetaText {
  TensorMeta meta;
  std::optional<SymInt> storage_bytes;
  std::string alias;                                       ///< NAME of `~NAME`; empty if none
  std::optional<std::pair<int64_t, int64_t>> alias_bytes;  ///< [a, b) of `~NAME[a:b)`
  bool operator==(const MetaText&) const;
};

std::string to_string(const TensorMeta& meta, MetaStyle style = MetaStyle::Full);
std::string to_string(const MetaText& text, MetaStyle style = MetaStyle::Full);

/// Parses the text form of one tensor's metadata. If strides, offset or device are absent, they are row-major, 0 and
/// cpu. Symbols are created in `env`. Raises InvalidArgument, with the position, for a negative size, for a symbol
/// without `env`, and for any other wrong text.
MetaText parse_meta_text(std::string_view text, ShapeEnv* env = nullptr);
/// Like parse_meta_text, but accepts no suffixes except ` conj`, ` neg` and ` grad`.
TensorMeta parse_meta(std::string_view text, ShapeEnv* env = nullptr);
/// Parses the text form at the start of `text` and sets `taken` to its length. It is for parsers of longer texts.
MetaText parse_meta_prefix(std::string_view text, size_t& taken, ShapeEnv* env = nullptr);

}  // namespace ersatz

template <>
struct fmt::formatter<ersatz::TensorMeta> {
  constexpr auto parse(fmt::format_parse_context& spec) const { return spec.begin(); }
  auto format(const ersatz::TensorMeta& m, fmt::format_context& to) const -> fmt::format_context::iterator;
};
