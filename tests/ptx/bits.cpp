// Bit operations: and, or, xor, not, shifts, lop3, counts, bit fields, byte permutations.
#include <functional>

#include "tests/ptx/statement.h"
#include "tests/ptx/thread.h"

namespace ersatz::ptx {
namespace {

using Words = Types<uint16_t, uint32_t, uint64_t>;
using Large = Types<uint32_t, uint64_t>;
template <class T>
inline constexpr uint32_t kBits = 8 * sizeof(T);

template <class F>
struct Logical {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    write(t, i, static_cast<T>(F()(read<T>(t, i, 0), read<T>(t, i, 1))));
  }
};
struct Not {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    write(t, i, static_cast<T>(~read<T>(t, i, 0)));
  }
};
void not_predicate(Thread& t, const Instruction& i) { write<uint8_t>(t, i, !read<uint8_t>(t, i, 0)); }

/// A shift by the width of the type or more leaves zeros, or copies of the sign bit.
struct ShiftLeft {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    const auto by = read<uint32_t>(t, i, 1);
    write(t, i, by >= kBits<T> ? T(0) : static_cast<T>(uint64_t(read<T>(t, i, 0)) << by));
  }
};
struct ShiftRight {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    const auto by = read<uint32_t>(t, i, 1);
    const T v = read<T>(t, i, 0);
    write(t, i, static_cast<T>(by >= kBits<T> ? (v < 0 ? -1 : 0) : v >> by));
  }
};
enum Funnel : uint8_t { kLeft = 0, kRight = 1, kWraps = 2 };
void funnel_shift(Thread& t, const Instruction& i) {
  const uint64_t both = uint64_t(read<uint32_t>(t, i, 1)) << 32 | read<uint32_t>(t, i, 0);
  const auto given = read<uint32_t>(t, i, 2);
  const uint32_t by = i.form & kWraps ? given & 31 : std::min(given, 32u);
  write(t, i, static_cast<uint32_t>(i.form & kRight ? both >> by : both >> (32 - by)));
}
/// Bit k of the table is the result for operands whose three bits form the number k.
void table_of_three(Thread& t, const Instruction& i) {
  const auto a = read<uint32_t>(t, i, 0), b = read<uint32_t>(t, i, 1), c = read<uint32_t>(t, i, 2);
  const auto table = read<uint32_t>(t, i, 3);
  uint32_t v = 0;
  for (uint32_t k = 0; k < 8; ++k) {
    if (table >> k & 1) v |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  }
  write(t, i, v);
}
struct CountOnes {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    write(t, i, static_cast<uint32_t>(__builtin_popcountll(read<T>(t, i, 0))));
  }
};
struct LeadingZeros {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    const T v = read<T>(t, i, 0);
    write(t, i, v == 0 ? kBits<T> : static_cast<uint32_t>(__builtin_clzll(v)) - (64 - kBits<T>));
  }
};
struct Reverse {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    const T v = read<T>(t, i, 0);
    T reversed = 0;
    for (uint32_t k = 0; k < kBits<T>; ++k) reversed = static_cast<T>(reversed << 1 | (v >> k & 1));
    write(t, i, reversed);
  }
};
/// Positions and lengths of bit fields use only the low byte.
uint32_t read_byte(const Thread& t, const Instruction& i, int k) { return read<uint32_t>(t, i, k) & 255; }
struct InsertField {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    const T field = read<T>(t, i, 0);
    T v = read<T>(t, i, 1);
    const uint32_t at = read_byte(t, i, 2), length = read_byte(t, i, 3);
    for (uint32_t k = 0; k < length && at + k < kBits<T>; ++k) {
      const T bit = T(1) << (at + k);
      v = static_cast<T>(field >> k & 1 ? v | bit : v & ~bit);
    }
    write(t, i, v);
  }
};
/// The bits above a signed field repeat the field's sign, or the operand's sign if the field extends beyond it.
struct ExtractField {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    using Bits = std::make_unsigned_t<T>;
    const auto v = static_cast<Bits>(read<T>(t, i, 0));
    const uint32_t at = read_byte(t, i, 1), length = read_byte(t, i, 2), last = kBits<T> - 1;
    const bool sign = std::is_signed_v<T> && length > 0 && (v >> std::min(at + length - 1, last) & 1);
    Bits field = 0;
    for (uint32_t k = 0; k <= last; ++k) {
      const bool bit = k < length && at + k <= last ? v >> (at + k) & 1 : sign;
      field |= Bits(bit) << k;
    }
    write(t, i, static_cast<T>(field));
  }
};
void mask_of_bits(Thread& t, const Instruction& i) {  // bmsk
  const auto at = read<uint32_t>(t, i, 0), length = read<uint32_t>(t, i, 1);
  uint32_t v = 0;
  for (uint32_t k = at; k < 32 && k - at < length; ++k) v |= 1u << k;
  write(t, i, v);
}
enum FindBit : uint8_t { kSigned = 1, kAsShift = 2 };
void find_bit(Thread& t, const Instruction& i) {  // bfind
  auto v = read<uint32_t>(t, i, 0);
  if ((i.form & kSigned) && static_cast<int32_t>(v) < 0) v = ~v;
  const uint32_t zeros = v == 0 ? 32 : static_cast<uint32_t>(__builtin_clz(v));
  write(t, i, v == 0 ? ~0u : i.form & kAsShift ? zeros : 31 - zeros);
}
void permute_bytes(Thread& t, const Instruction& i) {  // prmt
  const uint64_t both = uint64_t(read<uint32_t>(t, i, 1)) << 32 | read<uint32_t>(t, i, 0);
  const auto selectors = read<uint32_t>(t, i, 2);
  uint32_t v = 0;
  for (uint32_t k = 0; k < 4; ++k) {
    const uint32_t selector = selectors >> 4 * k & 15;
    auto byte = static_cast<uint8_t>(both >> 8 * (selector & 7));
    if (selector & 8) byte = byte & 0x80 ? 0xff : 0;
    v |= uint32_t(byte) << 8 * k;
  }
  write(t, i, v);
}

template <class F>
Run logical(std::string_view type) {
  return type == "pred" ? &Logical<F>::template run<uint8_t> : for_type<Logical<F>>(type, Words());
}

Run run_of(const Statement& s, Instruction& i) {
  const std::string_view op = s.opcode(), type = s.type();
  if (op == "and") return logical<std::bit_and<>>(type);
  if (op == "or") return logical<std::bit_or<>>(type);
  if (op == "xor") return logical<std::bit_xor<>>(type);
  if (op == "not") return type == "pred" ? not_predicate : for_type<Not>(type, Words());
  if (op == "shl") return for_type<ShiftLeft>(type, Words());
  if (op == "shr") return for_type<ShiftRight>(type, Integers());
  if (op == "lop3") return type == "b32" ? table_of_three : nullptr;
  if (op == "popc") return for_type<CountOnes>(type, Large());
  if (op == "clz") return for_type<LeadingZeros>(type, Large());
  if (op == "brev") return for_type<Reverse>(type, Large());
  if (op == "bfi") return for_type<InsertField>(type, Large());
  if (op == "bfe") return for_type<ExtractField>(type, Types<uint32_t, int32_t, uint64_t, int64_t>());
  if (op == "bmsk") return !s.has("wrap") && type == "b32" ? mask_of_bits : nullptr;
  if (op == "prmt") return s.words.size() == 2 ? permute_bytes : nullptr;  // only the form without a mode
  if (op == "shf") {
    i.form = uint8_t((s.has("r") ? kRight : kLeft) | (s.has("wrap") ? kWraps : 0));
    return type == "b32" ? funnel_shift : nullptr;
  }
  // bfind
  i.form = uint8_t((type[0] == 's' ? kSigned : 0) | (s.has("shiftamt") ? kAsShift : 0));
  return bytes_of(type) == 4 ? find_bit : nullptr;
}

}  // namespace

bool parse_bits(const Statement& s, Names& names, Instruction& i) {
  static constexpr std::string_view kOpcodes[] = {"and",  "or",  "xor",  "not", "shl", "shr",  "shf",   "lop3",
                                                  "popc", "clz", "brev", "bfi", "bfe", "bmsk", "bfind", "prmt"};
  if (std::find(std::begin(kOpcodes), std::end(kOpcodes), s.opcode()) == std::end(kOpcodes)) return false;
  i.run = run_of(s, i);
  if (!i.run) names.refuse("this form of the opcode is not known");
  names.result_and_operands(i, s);
  return true;
}

}  // namespace ersatz::ptx
