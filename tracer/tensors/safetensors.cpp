#include "tracer/tensors/safetensors.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/base/error.h"
#include "tracer/archive/json_stream.h"

namespace ersatz {
namespace {

// The header's length is stored in this many bytes, little-endian.
constexpr size_t kLength = 8;
constexpr uint64_t kMostHeader = uint64_t(100) << 20;  // in bytes; the format's own limit
constexpr size_t kMostRank = 64;

uint64_t header_length(std::string_view head) {
  uint64_t length = 0;
  std::memcpy(&length, head.data(), kLength);
  return length;
}

/// The range of a tensor's bytes: from `begin` to `end`, counted from the end of the header.
struct Place {
  uint64_t begin, end;
  std::string name;
};

DType named_dtype(const JsonView& text) {
  const std::string_view given = text.string();
  for (int i = 0; i < kDTypeCount && !given.empty(); ++i) {
    if (kDTypeRows[i].safetensors == given) return static_cast<DType>(i);
  }
  text.refuse("dtype '{}' is not read here", given.substr(0, 40));
}

DimVec listed_sizes(const JsonView& list) {
  if (list.size() > kMostRank) list.refuse("has more than {} dims", kMostRank);
  DimVec sizes;
  for (size_t d = 0; d < list.size(); ++d) {
    const int64_t size = list.item(d).integer();
    if (size < 0) list.refuse("a size is negative: {}", size);
    sizes.push_back(size);
  }
  return sizes;
}

int64_t needed_bytes(const JsonView& tensor, DType dtype, const DimVec& sizes) {
  int64_t needed = item_size(dtype);
  bool empty = false;
  for (const SymInt s : sizes) empty = empty || s.as_int() == 0;
  for (const SymInt s : sizes) {
    if (!empty && __builtin_mul_overflow(needed, s.as_int(), &needed)) tensor.refuse("its sizes overflow");
  }
  return empty ? 0 : needed;
}

Place place_in(const JsonView& tensor, std::string name, int64_t needed, uint64_t there) {
  const JsonView offsets = tensor.at("data_offsets");
  if (offsets.size() != 2) offsets.refuse("is no pair of offsets");
  const uint64_t begin = offsets.item(0).unsigned_integer(), end = offsets.item(1).unsigned_integer();
  if (begin > end || end > there)
    tensor.refuse("its bytes {} to {} are not in the file, which has {} behind the header", begin, end, there);
  if (end - begin != static_cast<uint64_t>(needed))
    tensor.refuse("has {} bytes where its dtype and sizes say {}", end - begin, needed);
  return {begin, end, std::move(name)};
}

/// RAISES InvalidArgument unless the tensors' bytes follow each other without gaps or overlaps, and end at `there`.
void require_no_gaps(std::vector<Place> places, uint64_t there, const std::string& file) {
  std::ranges::sort(places, {}, [](const Place& p) { return std::pair(p.begin, p.end); });
  uint64_t at = 0;
  for (const Place& p : places) {
    if (p.begin != at)
      fail_argument("{}: the bytes of {} begin at {}, where those before it end at {}", file, p.name, p.begin, at);
    at = p.end;
  }
  if (at != there) fail_argument("{}: {} bytes behind its tensors belong to none", file, there - at);
}

}  // namespace

bool looks_like_safetensors(std::string_view head, uint64_t size) {
  if (head.size() < kLength + 2 || head[kLength] != '{') return false;
  const uint64_t length = header_length(head);
  return length >= 2 && length <= size - kLength;
}

NamedTensors parse_safetensors(std::string_view bytes, const std::string& file) {
  if (bytes.size() < kLength) fail_argument("{}: is cut off in its header", file);
  const uint64_t length = header_length(bytes);
  if (length > kMostHeader) fail_argument("{}: its header of {} bytes is too long", file, length);
  if (length > bytes.size() - kLength) fail_argument("{}: is cut off in its header", file);
  const std::string_view data = bytes.substr(kLength + length);
  const Json header = JsonStream(file).parse(bytes.substr(kLength, length));
  const JsonView::Tree tree{file, "", &header};
  NamedTensors tensors;
  std::vector<Place> places;
  JsonView(tree).each_member([&](const std::string& name, const JsonView& entry) {
    if (name == "__metadata__") return;
    const DType dtype = named_dtype(entry.at("dtype"));
    const DimVec sizes = listed_sizes(entry.at("shape"));
    const Place place = place_in(entry, name, needed_bytes(entry, dtype, sizes), data.size());
    const Tensor t = make_real_tensor(TensorMeta(dtype, sizes));
    if (place.end > place.begin) std::memcpy(t.raw_data(), data.data() + place.begin, place.end - place.begin);
    tensors.emplace(name, t);
    places.push_back(place);
  });
  require_no_gaps(std::move(places), data.size(), file);
  if (tensors.empty()) fail_argument("{}: holds no tensor", file);
  return tensors;
}

}  // namespace ersatz
