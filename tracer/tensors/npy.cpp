#include "tracer/tensors/npy.h"

#include <charconv>
#include <cstring>
#include <optional>

#include "runtime/base/error.h"
#include "tracer/archive/zip_archive.h"

namespace ersatz {

namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr size_t kMostNpyHeader = 1 << 16;
constexpr size_t kMostNpyRank = 64;
constexpr size_t kMostShown = 40;  // most characters of the file's text that a message quotes

/// The header of an array: `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
struct NpyHeader {
  std::string dtype;
  std::optional<bool> column_major;
  std::optional<DimVec> sizes;
};

/// Parses the header, a Python dict literal with these three keys.
class NpyHeaderReader {
 public:
  NpyHeaderReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  NpyHeader read() {
    NpyHeader header;
    expect('{');
    while (!take('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr") {
        if (skip_space(), at_ < text_.size() && text_[at_] == '[') {
          refuse("holds records with fields; arrays of one number type are read");
        }
        header.dtype = string();
      } else if (key == "fortran_order") {
        header.column_major = boolean();
      } else if (key == "shape") {
        header.sizes = sizes();
      } else {
        refuse(fmt::format("its header has the key '{}', which no version of the format knows", shown(key)));
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    if (header.dtype.empty() || !header.column_major || !header.sizes) {
      refuse("its header lacks one of 'descr', 'fortran_order' and 'shape'");
    }
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { fail_argument("{}: {}", file_, why); }
  static std::string_view shown(std::string_view text) { return text.substr(0, kMostShown); }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) refuse(fmt::format("its header is broken: '{}' is missing at byte {}", c, at_));
  }
  std::string_view string() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : text_.npos;
    if (end == text_.npos) refuse(fmt::format("its header is broken: a string is missing at byte {}", at_));
    const std::string_view found = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return found;
  }
  bool boolean() {
    skip_space();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return value;
    }
    refuse(fmt::format("its header is broken: True or False is missing at byte {}", at_));
  }
  DimVec sizes() {
    DimVec found;
    expect('(');
    while (!take(')')) {
      skip_space();
      int64_t size = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
      if (error != std::errc() || size < 0)
        refuse(fmt::format("its header is broken: a size is missing at byte {}", at_));
      at_ = static_cast<size_t>(end - text_.data());
      if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote integers as `2L`
      found.push_back(size);
      if (found.size() > kMostNpyRank) refuse(fmt::format("has more than {} dims", kMostNpyRank));
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return found;
  }

  std::string_view text_;
  size_t at_ = 0;
  const std::string& file_;
};

DType npy_dtype(std::string_view descr, const std::string& file) {
  const bool marked = descr.find_first_of("<>|=") == 0;
  const std::string_view kind = descr.substr(marked);
  for (int i = 0; i < kDTypeCount; ++i) {
    if (kind != kDTypeRows[i].npy) continue;
    const auto dtype = static_cast<DType>(i);
    if (descr[0] == '>' && item_size(dtype) > 1) {
      fail_argument("{}: is big-endian ('{}'): save it as x.astype(x.dtype.newbyteorder('<'))", file, descr);
    }
    return dtype;
  }
  if (kind == "V1") {
    fail_argument(
        "{}: dtype '{}' is one of several floats of 8 or 4 bits, the file does not say which: save "
        "x.view('uint8'), or a .safetensors file",
        file, descr);
  }
  if (kind.starts_with('O')) fail_argument("{}: holds Python objects, which only unpickling could read", file);
  fail_argument("{}: dtype '{}' is not read here: save it as bool, an int, a float or a complex dtype", file,
                descr.substr(0, kMostShown));
}

DimVec column_major_strides(const DimVec& sizes) {
  DimVec strides(sizes.size(), 1);
  int64_t step = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    strides[d] = step;
    step *= std::max<int64_t>(sizes[d].as_int(), 1);
  }
  return strides;
}

}  // namespace

bool looks_like_npy(std::string_view bytes) { return bytes.starts_with(kNpyMagic); }

Tensor parse_npy(std::string_view bytes, const std::string& file) {
  if (!looks_like_npy(bytes)) fail_argument("{}: no .npy file: it does not begin with \\x93NUMPY", file);
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  size_t at = kNpyMagic.size() + 2;  // the version has two bytes
  if (bytes.size() < at) fail_argument("{}: is cut off in its header", file);
  const int version = byte(kNpyMagic.size());
  if (version < 1 || version > 3) fail_argument("{}: has version {} of the format; 1 to 3 are read", file, version);
  if (bytes.size() < at + (version > 1 ? 4 : 2)) fail_argument("{}: is cut off in its header", file);
  size_t length = byte(at) | size_t(byte(at + 1)) << 8;
  at += 2;
  if (version > 1) {
    length |= size_t(byte(at)) << 16 | size_t(byte(at + 1)) << 24;
    at += 2;
  }
  if (length > kMostNpyHeader) fail_argument("{}: its header of {} bytes is too long", file, length);
  if (length > bytes.size() - at) fail_argument("{}: is cut off in its header", file);
  const NpyHeader header = NpyHeaderReader(bytes.substr(at, length), file).read();
  const std::string_view data = bytes.substr(at + length);

  const DType dtype = npy_dtype(header.dtype, file);
  int64_t needed = item_size(dtype);
  bool empty = false;
  for (const SymInt s : *header.sizes) empty = empty || s.as_int() == 0;
  for (const SymInt s : *header.sizes) {
    if (empty) break;
    if (__builtin_mul_overflow(needed, s.as_int(), &needed)) fail_argument("{}: its sizes overflow", file);
  }
  if (empty) needed = 0;
  if (needed != static_cast<int64_t>(data.size())) {
    fail_argument("{}: {} bytes of elements where its header says {}: it is {}", file, data.size(), needed,
                  static_cast<int64_t>(data.size()) < needed ? "cut off" : "no plain array");
  }
  TensorMeta meta(dtype, *header.sizes);
  if (*header.column_major && !empty) meta.strides = column_major_strides(*header.sizes);
  Tensor t = make_real_tensor(std::move(meta));
  if (needed) std::memcpy(t.raw_data(), data.data(), static_cast<size_t>(needed));
  return t;
}

NamedTensors load_npz(const std::string& path) {
  const std::shared_ptr<ZipArchive> zip = ZipArchive::open(path);
  NamedTensors arrays;
  for (const ZipArchive::Entry& entry : zip->entries()) {
    std::string name = entry.name;
    if (!name.ends_with(".npy")) fail_argument("{}: no .npz archive: its entry '{}' is no .npy file", path, name);
    name.resize(name.size() - 4);
    arrays.emplace(name, parse_npy(zip->read(entry), path + ": " + entry.name));
  }
  if (arrays.empty()) fail_argument("{}: no .npz archive: it holds no array", path);
  return arrays;
}

}  // namespace ersatz
