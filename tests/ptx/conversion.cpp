// cvt, mov and cvta.
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "tests/ptx/statement.h"
#include "tests/ptx/thread.h"

namespace ersatz::ptx {
namespace {

/// Rounding modes to floats (n, z, m, p) and to integers, including integers in a float type (ni, zi, mi, pi).
enum Rounding : uint8_t { kNearest, kToZero, kDown, kUp, kWhole };

template <class V>
V whole(uint8_t rounding, V v) {
  switch (rounding & 3) {
    case kToZero:
      return std::trunc(v);
    case kDown:
      return std::floor(v);
    case kUp:
      return std::ceil(v);
    default:
      return std::nearbyint(v);
  }
}

/// Returns the rounded value, clamped to the range of D. NaN becomes 0, or for 64 bits only the sign bit.
template <class D, class V>
D to_integer(V v, uint8_t rounding) {
  using Limits = std::numeric_limits<D>;
  const V x = whole(rounding, v);
  const double end = std::ldexp(1.0, std::numeric_limits<D>::digits);
  if (v != v) return sizeof(V) == 4 && sizeof(D) <= 4 ? D(0) : static_cast<D>(uint64_t(1) << (8 * sizeof(D) - 1));
  if (static_cast<double>(x) >= end) return Limits::max();
  if (static_cast<double>(x) < (std::is_signed_v<D> ? -end : 0.0)) return Limits::min();
  return static_cast<D>(x);
}

template <class D, class S>
D to_float(S from, uint8_t rounding) {
  if (rounding == kNearest || rounding >= kWhole) return static_cast<D>(from);
  std::fesetround(rounding == kToZero ? FE_TOWARDZERO : rounding == kDown ? FE_DOWNWARD : FE_UPWARD);
  const volatile S v = from;
  const volatile D result = static_cast<D>(v);
  std::fesetround(FE_TONEAREST);
  return result;
}

// The 16-bit floats. Their code is not that of runtime/base/half.h, which they are used to test.
struct Half {};
struct BFloat16 {};

float from_bits(Half, uint16_t bits) { return static_cast<float>(std::bit_cast<_Float16>(bits)); }
float from_bits(BFloat16, uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

constexpr uint16_t kNaN = 0x7fff;
uint16_t bits_of(Half, float v) { return v != v ? kNaN : std::bit_cast<uint16_t>(static_cast<_Float16>(v)); }
/// Returns the nearer of the two neighbouring bf16 numbers. If both are equally near, it is the even one.
uint16_t bits_of(BFloat16 type, float v) {
  if (v != v) return kNaN;
  const auto below = static_cast<uint16_t>(std::bit_cast<uint32_t>(v) >> 16);  // towards zero
  if (std::isinf(v)) return below;
  const auto above = static_cast<uint16_t>(below + 1);
  const double step = std::fabs(double(from_bits(type, below)) - from_bits(type, static_cast<uint16_t>(below ^ 1)));
  const double twice = 2 * std::fabs(double(v) - from_bits(type, below));
  return twice > step || (twice == step && (below & 1)) ? above : below;
}
template <class T>
inline constexpr bool is_half = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <class T>
inline constexpr bool is_float = is_half<T> || std::is_floating_point_v<T>;

template <class S>
auto source(const Thread& t, const Instruction& i) {
  if constexpr (is_half<S>) {
    return from_bits(S(), read<uint16_t>(t, i, 0));
  } else {
    return read<S>(t, i, 0);
  }
}

template <class D, class V>
void convert_number(Thread& t, const Instruction& i, V v) {
  if constexpr (is_float<D> && std::is_floating_point_v<V>) {
    if (i.flush && std::fpclassify(v) == FP_SUBNORMAL) v = std::copysign(V(0), v);
    if (i.form >= kWhole) v = whole(i.form, v);
    if (i.saturate) v = v != v || v < 0 ? V(0) : std::min(v, V(1));
  }
  if constexpr (is_half<D>) {
    write(t, i, bits_of(D(), static_cast<float>(v)));
  } else if constexpr (is_float<D>) {
    write(t, i, to_float<D>(v, i.form));
  } else if constexpr (std::is_floating_point_v<V>) {
    write(t, i, to_integer<D>(v, i.form));
  } else if (i.saturate) {
    using Limits = std::numeric_limits<D>;
    const __int128 wide = v;
    write(t, i, wide > Limits::max() ? Limits::max() : wide < Limits::min() ? Limits::min() : static_cast<D>(wide));
  } else {
    write(t, i, static_cast<D>(v));
  }
}
template <class D, class S>
void convert(Thread& t, const Instruction& i) {
  convert_number<D>(t, i, source<S>(t, i));
}

template <class D>
Run conversion_from(std::string_view type) {
  if (type == "f16") return convert<D, Half>;
  if (type == "bf16") return convert<D, BFloat16>;
  Run run = nullptr;
  const auto look = [&]<class... S>(Types<S...>) { ((run = !run && is_spelled<S>(type) ? &convert<D, S> : run), ...); };
  look(Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, float, double>());
  return run;
}
Run conversion(std::string_view to, std::string_view from) {
  if (to == "f16") return conversion_from<Half>(from);
  if (to == "bf16") return conversion_from<BFloat16>(from);
  Run run = nullptr;
  const auto look = [&]<class... D>(Types<D...>) {
    ((run = !run && is_spelled<D>(to) ? conversion_from<D>(from) : run), ...);
  };
  look(Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, float, double>());
  return run;
}

struct Move {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    write(t, i, read<T>(t, i, 0));
  }
};
/// Returns the mask of a part of `width` bits.
uint64_t part_mask(const Instruction& i) { return i.width == 64 ? ~uint64_t(0) : (uint64_t(1) << i.width) - 1; }
void pack(Thread& t, const Instruction& i) {
  uint64_t v = 0;
  for (int k = 0; k < i.from_count; ++k) v |= (read<uint64_t>(t, i, k) & part_mask(i)) << k * i.width;
  write(t, i, v);
}
void unpack(Thread& t, const Instruction& i) {
  const auto v = read<uint64_t>(t, i, 0);
  for (int k = 0; k < i.to_count; ++k) write(t, i, v >> k * i.width & part_mask(i), k);
}

enum Special : uint8_t {
  kThread,
  kThreads = 3,
  kBlock = 6,
  kBlocks = 9,
  kLane = 12,
  kWarp,
  kEq,
  kLt,
  kLe,
  kGe,
  kGt,
  kZero
};
void special_register(Thread& t, const Instruction& i) {
  const uint32_t bit = 1u << t.lane;
  const auto value = [&]() -> uint32_t {
    switch (i.form) {
      case kLane:
        return static_cast<uint32_t>(t.lane);
      case kWarp:
        return static_cast<uint32_t>(t.number / 32);
      case kEq:
        return bit;
      case kLt:
        return bit - 1;
      case kLe:
        return bit - 1 | bit;
      case kGe:
        return ~(bit - 1);
      case kGt:
        return ~(bit - 1 | bit);
      case kZero:
        return 0;
      default:
        break;
    }
    const uint32_t* const of[] = {t.index, t.block->size, t.block->index, t.block->grid};
    return of[i.form / 3][i.form % 3];
  };
  write(t, i, value());
}
/// Returns the number of a special register; -1 for other names. Clocks and the multiprocessor's number read as 0.
int special_of(std::string_view name) {
  static constexpr std::pair<std::string_view, int> kNames[] = {{"%tid.x", kThread},
                                                                {"%tid.y", kThread + 1},
                                                                {"%tid.z", kThread + 2},
                                                                {"%ntid.x", kThreads},
                                                                {"%ntid.y", kThreads + 1},
                                                                {"%ntid.z", kThreads + 2},
                                                                {"%ctaid.x", kBlock},
                                                                {"%ctaid.y", kBlock + 1},
                                                                {"%ctaid.z", kBlock + 2},
                                                                {"%nctaid.x", kBlocks},
                                                                {"%nctaid.y", kBlocks + 1},
                                                                {"%nctaid.z", kBlocks + 2},
                                                                {"%laneid", kLane},
                                                                {"%warpid", kWarp},
                                                                {"%lanemask_eq", kEq},
                                                                {"%lanemask_lt", kLt},
                                                                {"%lanemask_le", kLe},
                                                                {"%lanemask_ge", kGe},
                                                                {"%lanemask_gt", kGt},
                                                                {"%clock", kZero},
                                                                {"%clock64", kZero},
                                                                {"%globaltimer", kZero},
                                                                {"%smid", kZero}};
  return value_of_word(kNames, name, -1);
}

void frame_address(Thread& t, const Instruction& i) {
  char* base = i.base == Base::Parameters ? t.parameters : t.locals;
  write(t, i, reinterpret_cast<uint64_t>(base) + static_cast<uint64_t>(i.offset));
}
void from_shared(Thread& t, const Instruction& i) {
  write(t, i, reinterpret_cast<uint64_t>(t.block->shared) + (read<uint64_t>(t, i, 0) - kSharedBase));
}
void to_shared(Thread& t, const Instruction& i) {
  write(t, i, read<uint64_t>(t, i, 0) - reinterpret_cast<uint64_t>(t.block->shared) + kSharedBase);
}

std::string_view inside(std::string_view braces) { return braces.substr(1, braces.size() - 2); }

void parse_mov(const Statement& s, Names& names, Instruction& i) {
  if (s.operands.size() != 2) names.refuse("mov has two operands");
  const std::string_view to = s.operands[0], from = s.operands[1];
  const auto width = [&](size_t parts) { return uint8_t(8 * size_t(bytes_of(s.type())) / parts); };
  if (to[0] == '{') {
    for (std::string_view part : split(inside(to))) names.to(i, part);
    names.from(i, from);
    i.width = width(i.to_count);
    i.run = unpack;
  } else if (from[0] == '{') {
    names.to(i, to);
    for (std::string_view part : split(inside(from))) names.from(i, part);
    i.width = width(i.from_count);
    i.run = pack;
  } else if (const int special = special_of(from); special >= 0) {
    names.to(i, to);
    i.form = uint8_t(special);
    i.run = special_register;
  } else if (names.frame_address(i, from)) {
    names.to(i, to);
    i.run = frame_address;
  } else {
    i.run = s.type() == "pred" ? &Move::run<uint8_t> : for_type<Move>(s.type(), Numbers());
    if (!i.run) names.refuse("this type is not moved");
    names.result_and_operands(i, s);
  }
}

}  // namespace

bool parse_conversion(const Statement& s, Names& names, Instruction& i) {
  if (s.opcode() == "mov") {
    parse_mov(s, names, i);
    return true;
  }
  if (s.opcode() == "cvta") {
    if (s.operands.size() != 2) names.refuse("cvta has two operands");
    if (names.frame_address(i, s.operands[1])) {
      names.to(i, s.operands[0]);
      i.run = frame_address;
      return true;
    }
    i.run = !s.has("shared") ? &Move::run<uint64_t> : s.has("to") ? to_shared : from_shared;
    names.result_and_operands(i, s);
    return true;
  }
  if (s.opcode() != "cvt") return false;
  if (s.words.size() < 3 || s.operands.size() != 2) names.refuse("a conversion names two types and two operands");
  i.run = conversion(s.words[s.words.size() - 2], s.type());
  if (!i.run) names.refuse("this conversion is not known");
  static constexpr std::pair<std::string_view, uint8_t> kRoundings[] = {
      {"rz", kToZero},           {"rm", kDown},           {"rp", kUp},          {"rni", kWhole},
      {"rzi", kWhole + kToZero}, {"rmi", kWhole + kDown}, {"rpi", kWhole + kUp}};
  for (const auto& [word, rounding] : kRoundings) {
    if (s.has(word)) i.form = rounding;
  }
  i.saturate = s.has("sat");
  i.flush = s.has("ftz");
  names.result_and_operands(i, s);
  return true;
}

}  // namespace ersatz::ptx
