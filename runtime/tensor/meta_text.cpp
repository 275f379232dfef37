#include "runtime/tensor/meta_text.h"

#include <algorithm>
#include <charconv>

#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

void append(std::string& out, SymInt v) {
  if (v.is_symbolic()) {
    out += to_string(v);
    return;
  }
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, v.as_int()).ptr);
}

void append_list(std::string& out, char open, std::span<const SymInt> values, char close) {
  out += open;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i) out += ',';
    append(out, values[i]);
  }
  out += close;
}

// Returns whether the strides are identical to the row-major ones. Returns false if those overflow, because
// contiguous_strides() would raise an error.
bool has_row_major_strides(const TensorMeta& m) {
  if (m.is_symbolic()) {
    DimVec expected = contiguous_strides(m.sizes);
    for (size_t d = 0; d < m.sizes.size(); ++d)
      if (!expected[d].is_identical(m.strides[d])) return false;
    return true;
  }
  int64_t expected = 1;
  for (size_t d = m.sizes.size(); d-- > 0;) {
    if (m.strides[d].as_int() != expected) return false;
    if (d > 0 && __builtin_mul_overflow(expected, std::max<int64_t>(m.sizes[d].as_int(), 1), &expected)) return false;
  }
  return true;
}

void append_meta(std::string& out, const TensorMeta& m, MetaStyle style) {
  bool people = style == MetaStyle::People;
  out += name(m.dtype);
  append_list(out, '[', m.sizes, ']');
  if (!people || !has_row_major_strides(m)) append_list(out, '{', m.strides, '}');
  if (!people || !m.offset.is_identical(0)) {
    out += '+';
    append(out, m.offset);
  }
  out += '@';
  out += to_string(m.device);
  if (m.conj) out += " conj";
  if (m.neg) out += " neg";
  if (m.requires_grad) out += " grad";
}

}  // namespace

bool MetaText::operator==(const MetaText& o) const {
  if (storage_bytes.has_value() != o.storage_bytes.has_value()) return false;
  if (storage_bytes && !storage_bytes->is_identical(*o.storage_bytes)) return false;
  return meta == o.meta && alias == o.alias && alias_bytes == o.alias_bytes;
}

std::string to_string(const TensorMeta& meta, MetaStyle style) {
  std::string out;
  out.reserve(64);
  append_meta(out, meta, style);
  return out;
}

std::string to_string(const MetaText& text, MetaStyle style) {
  std::string out;
  out.reserve(96);
  append_meta(out, text.meta, style);
  if (text.storage_bytes) {
    bool symbolic = text.storage_bytes->is_symbolic();  // an expression is written in parentheses, because `s0B` would
                                                        // read as a symbol
    out += symbolic ? " storage=(" : " storage=";
    append(out, *text.storage_bytes);
    out += symbolic ? ")B" : "B";
  }
  if (!text.alias.empty()) {
    out += " ~";
    out += text.alias;
    if (text.alias_bytes) {
      out += '[';
      append(out, text.alias_bytes->first);
      out += ':';
      append(out, text.alias_bytes->second);
      out += ')';
    }
  }
  return out;
}

}  // namespace ersatz

auto fmt::formatter<ersatz::TensorMeta>::format(const ersatz::TensorMeta& m, fmt::format_context& to) const
    -> fmt::format_context::iterator {
  const std::string text = ersatz::to_string(m, ersatz::MetaStyle::People);
  return std::copy(text.begin(), text.end(), to.out());
}
