#include "tools/propagate/special_values.h"

#include "fake/watch/tensor_copies.h"

namespace ersatz::tools {

namespace {

/// Bit masks of a floating point format. An element whose exponent bits are all 1 is Inf, or NaN if a mantissa bit is
/// 1.
template <class Bits>
struct FloatBits {
  Bits exponent, mantissa;
};

/// Scans a row of elements. Each element has `parts` floats (2 if complex), and `stride` counts floats.
template <class Bits>
void scan_row(const Bits* row, int64_t count, int64_t stride, int parts, FloatBits<Bits> form, SpecialValues& found) {
  if (stride == parts) {  // elements are dense: a cheap first pass finds out whether there are any NaN or Inf
    Bits any = 0;
    for (int64_t i = 0; i < count * parts; ++i) any |= static_cast<Bits>((row[i] & form.exponent) == form.exponent);
    if (!any) {
      found.elements += count;
      return;
    }
  }
  for (int64_t i = 0; i < count; ++i, row += stride, ++found.elements) {
    bool nan = false, inf = false;
    for (int p = 0; p < parts; ++p) {
      if ((row[p] & form.exponent) != form.exponent) continue;
      (row[p] & form.mantissa ? nan : inf) = true;
    }
    if (nan && found.nan++ == 0) found.first_nan = found.elements;
    if (inf && !nan && found.inf++ == 0) found.first_inf = found.elements;
  }
}

template <class Bits>
void scan(const Tensor& t, int parts, FloatBits<Bits> form, SpecialValues& found) {
  if (t.numel().as_int() == 0) return;
  const Bits* const base = reinterpret_cast<const Bits*>(t.raw_data());
  const size_t rank = t.sizes().size();
  if (rank == 0) return scan_row(base, 1, parts, parts, form, found);
  const int64_t count = t.sizes()[rank - 1].as_int(), stride = t.strides()[rank - 1].as_int() * parts;
  if (t.is_contiguous()) return scan_row(base, t.numel().as_int(), parts, parts, form, found);
  InlineVec<int64_t, 8> at(rank, 0);
  int64_t offset = 0;
  while (true) {
    scan_row(base + offset * parts, count, stride, parts, form, found);
    size_t d = rank - 1;
    for (; d-- > 0;) {
      offset += t.strides()[d].as_int();
      if (++at[d] < t.sizes()[d].as_int()) break;
      offset -= t.strides()[d].as_int() * t.sizes()[d].as_int();
      at[d] = 0;
    }
    if (d == SIZE_MAX) return;
  }
}

}  // namespace

SpecialValues special_values(const Tensor& real) {
  SpecialValues found;
  const DType dtype = real.dtype();
  if ((!is_float(dtype) && !is_complex(dtype)) || !real.storage()->has_bytes()) {
    found.elements = real.numel().as_int();
    return found;
  }
  const Tensor t = on_host(real);
  const int parts = is_complex(dtype) ? 2 : 1;
  switch (item_size(dtype) / parts) {
    case 2:
      scan<uint16_t>(t, parts,
                     dtype == DType::BF16 ? FloatBits<uint16_t>{0x7f80, 0x007f} : FloatBits<uint16_t>{0x7c00, 0x03ff},
                     found);
      break;
    case 4:
      scan<uint32_t>(t, parts, {0x7f800000u, 0x007fffffu}, found);
      break;
    case 8:
      scan<uint64_t>(t, parts, {0x7ff0000000000000u, 0x000fffffffffffffu}, found);
      break;
    default:
      raise_internal_error(__FILE__, __LINE__, "dtype", "no NaN is known of {}", name(dtype));
  }
  return found;
}

std::string position_text(std::span<const SymInt> sizes, int64_t number) {
  std::string text;
  for (size_t d = sizes.size(); d-- > 0;) {
    const int64_t size = sizes[d].as_int();
    text = std::to_string(size ? number % size : 0) + (text.empty() ? "" : ", ") + text;
    if (size) number /= size;
  }
  return "[" + text + "]";
}

}  // namespace ersatz::tools
