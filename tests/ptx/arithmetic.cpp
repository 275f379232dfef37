// Arithmetic: add, sub, mul, mad, fma, div, rem, min, max, abs, neg, comparisons, selections, and approximate
// functions. Functions of the host compute the approximate ones, so their last bits can differ from a GPU's.
#include <cfenv>
#include <cmath>

#include "tests/ptx/statement.h"
#include "tests/ptx/thread.h"

namespace ersatz::ptx {
namespace {

enum Rounding : uint8_t { kNearest, kToZero, kDown, kUp };

uint8_t rounding_of(const Statement& s) {
  return s.has("rz") ? kToZero : s.has("rm") ? kDown : s.has("rp") ? kUp : kNearest;
}

/// Scope in which the host rounds in this mode.
class RoundingScope {
 public:
  explicit RoundingScope(uint8_t rounding) {
    std::fesetround(rounding == kToZero ? FE_TOWARDZERO : rounding == kDown ? FE_DOWNWARD : FE_UPWARD);
  }
  ~RoundingScope() { std::fesetround(FE_TONEAREST); }
};

template <class T>
T flushed(const Instruction& i, T v) {
  if constexpr (std::is_floating_point_v<T>) {
    if (i.flush && std::fpclassify(v) == FP_SUBNORMAL) return std::copysign(T(0), v);
  }
  return v;
}
template <class T>
T input(const Thread& t, const Instruction& i, int k) {
  return flushed(i, read<T>(t, i, k));
}
/// The type in which integers wrap around without overflow.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

template <class F>
struct Unary {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    write<T>(t, i, flushed<T>(i, F::of(input<T>(t, i, 0))));
  }
};
template <class F>
struct Binary {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    const T a = input<T>(t, i, 0), b = input<T>(t, i, 1);
    if constexpr (std::is_floating_point_v<T>) {
      if (i.form != kNearest) {
        const volatile T x = a, y = b;
        const RoundingScope scope(i.form);
        const volatile T v = F::of(T(x), T(y));
        return write<T>(t, i, T(v));
      }
    }
    write<T>(t, i, flushed<T>(i, F::of(a, b)));
  }
};

struct Add {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a + b;
    else
      return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
  }
};
struct Sub {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a - b;
    else
      return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b));
  }
};
struct Mul {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a * b;
    else
      return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
  }
};
/// PTX does not define an integer division by zero. The quotient has all bits set and the remainder is the dividend, as
/// on GPUs.
struct Div {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a / b;
    else if (b == 0)
      return static_cast<T>(-1);
    else if (std::is_signed_v<T> && b == static_cast<T>(-1))
      return Sub::of(T(0), a);
    else
      return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
};
/// If one operand is NaN, the result is the other operand. -0 is less than +0.
struct Min {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (a == b) return std::signbit(a) ? a : b;
      return std::fmin(a, b);
    } else {
      return std::min(a, b);
    }
  }
};
struct Max {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (a == b) return std::signbit(a) ? b : a;
      return std::fmax(a, b);
    } else {
      return std::max(a, b);
    }
  }
};
/// `min.NaN`, `max.NaN`.
template <class F>
struct OrNaN {
  template <class T>
  static T of(T a, T b) {
    return a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : F::of(a, b);
  }
};
struct CopySign {
  template <class T>
  static T of(T sign, T magnitude) {
    return std::copysign(magnitude, sign);
  }
};
struct Neg {
  template <class T>
  static T of(T a) {
    if constexpr (std::is_floating_point_v<T>)
      return -a;
    else
      return Sub::of(T(0), a);
  }
};
struct Abs {
  template <class T>
  static T of(T a) {
    return std::signbit(static_cast<double>(a)) ? Neg::of(a) : a;
  }
};
struct Sqrt {
  template <class T>
  static T of(T a) {
    return std::sqrt(a);
  }
};
struct Reciprocal {
  template <class T>
  static T of(T a) {
    return T(1) / a;
  }
};
struct ReciprocalSqrt {
  template <class T>
  static T of(T a) {
    return T(1) / std::sqrt(a);
  }
};
#define ERSATZ_PTX_FUNCTION(Name, call)               \
  struct Name {                                       \
    static float of(float a) { return std::call(a); } \
  };
ERSATZ_PTX_FUNCTION(Exp2, exp2)
ERSATZ_PTX_FUNCTION(Log2, log2)
ERSATZ_PTX_FUNCTION(Sin, sin)
ERSATZ_PTX_FUNCTION(Cos, cos)
ERSATZ_PTX_FUNCTION(Tanh, tanh)
#undef ERSATZ_PTX_FUNCTION

template <class T>
struct WiderOf;
template <>
struct WiderOf<uint16_t> {
  using type = uint32_t;
};
template <>
struct WiderOf<int16_t> {
  using type = int32_t;
};
template <>
struct WiderOf<uint32_t> {
  using type = uint64_t;
};
template <>
struct WiderOf<int32_t> {
  using type = int64_t;
};
template <>
struct WiderOf<uint64_t> {
  using type = unsigned __int128;
};
template <>
struct WiderOf<int64_t> {
  using type = __int128;
};
template <class T>
typename WiderOf<T>::type whole_product(const Thread& t, const Instruction& i) {
  using W = typename WiderOf<T>::type;
  return static_cast<W>(W(read<T>(t, i, 0)) * W(read<T>(t, i, 1)));
}
struct MulWide {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    write(t, i, whole_product<T>(t, i));
  }
};
struct MadWide {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    using W = typename WiderOf<T>::type;
    write(t, i, Add::of(whole_product<T>(t, i), read<W>(t, i, 2)));
  }
};
struct MulHigh {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    write(t, i, static_cast<T>(whole_product<T>(t, i) >> 8 * sizeof(T)));
  }
};
struct MadHigh {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    write(t, i, Add::of(static_cast<T>(whole_product<T>(t, i) >> 8 * sizeof(T)), read<T>(t, i, 2)));
  }
};
struct MadLow {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    write(t, i, Add::of(Mul::of(read<T>(t, i, 0), read<T>(t, i, 1)), read<T>(t, i, 2)));
  }
};
struct Fma {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    const T a = input<T>(t, i, 0), b = input<T>(t, i, 1), c = input<T>(t, i, 2);
    if (i.form == kNearest) return write(t, i, flushed(i, std::fma(a, b, c)));
    const volatile T x = a, y = b, z = c;
    const RoundingScope scope(i.form);
    const volatile T v = std::fma(T(x), T(y), T(z));
    write(t, i, T(v));
  }
};

// Sums of more than 32 bits, with the carry flag of a thread.
enum Carry : uint8_t { kSetsCarry = 1, kAddsCarry = 2, kHighHalf = 4 };

void finish_carry(Thread& t, const Instruction& i, uint64_t sum) {
  write(t, i, static_cast<uint32_t>(sum));
  if (i.form & kSetsCarry) t.carry = (sum >> 32 & 1) != 0;
}
uint64_t carried(const Thread& t, const Instruction& i) { return (i.form & kAddsCarry) && t.carry; }
void add_carry(Thread& t, const Instruction& i) {
  finish_carry(t, i, uint64_t(read<uint32_t>(t, i, 0)) + read<uint32_t>(t, i, 1) + carried(t, i));
}
void sub_carry(Thread& t, const Instruction& i) {
  finish_carry(t, i, uint64_t(read<uint32_t>(t, i, 0)) - read<uint32_t>(t, i, 1) - carried(t, i));
}
void mad_carry(Thread& t, const Instruction& i) {
  const uint64_t product = whole_product<uint32_t>(t, i);
  const uint64_t half = i.form & kHighHalf ? product >> 32 : product & 0xffffffff;
  finish_carry(t, i, half + read<uint32_t>(t, i, 2) + carried(t, i));
}

enum Comparison : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe, kUnorderedToo = 8, kOrdered = 16, kUnordered = 17 };
enum Combination : uint8_t { kAlone, kAnd, kOr, kXor };

template <class T>
bool holds(uint8_t comparison, T a, T b) {
  const bool unordered = a != a || b != b;
  if (comparison == kOrdered || comparison == kUnordered) return unordered == (comparison == kUnordered);
  if (unordered) return (comparison & kUnorderedToo) != 0;
  switch (comparison & 7) {
    case kEq:
      return a == b;
    case kNe:
      return a != b;
    case kLt:
      return a < b;
    case kLe:
      return a <= b;
    case kGt:
      return a > b;
    default:
      return a >= b;
  }
}
/// `width` stores the operation that combines the result of the comparison with a predicate.
struct SetPredicate {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    const bool first = holds(i.form, input<T>(t, i, 0), input<T>(t, i, 1));
    for (int k = 0; k < i.to_count; ++k) {  // the second result is the negated first one
      bool v = first == (k == 0);
      if (i.width != kAlone) {
        const bool other = read_predicate(t, i, 2);
        v = i.width == kAnd ? v && other : i.width == kOr ? v || other : v != other;
      }
      write<uint8_t>(t, i, v, k);
    }
  }
};
uint8_t comparison_of(Names& names, std::string_view word) {
  static constexpr std::pair<std::string_view, uint8_t> kWords[] = {
      {"eq", kEq}, {"ne", kNe}, {"lt", kLt}, {"le", kLe}, {"gt", kGt},       {"ge", kGe},
      {"lo", kLt}, {"ls", kLe}, {"hi", kGt}, {"hs", kGe}, {"num", kOrdered}, {"nan", kUnordered}};
  constexpr uint8_t kUnknown = 255;
  if (const uint8_t known = value_of_word(kWords, word, kUnknown); known != kUnknown) return known;
  if (word.size() == 3 && word.back() == 'u') return comparison_of(names, word.substr(0, 2)) | kUnorderedToo;
  names.refuse("this comparison is not known");
}
struct Select {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    write(t, i, read_predicate(t, i, 2) ? read<T>(t, i, 0) : read<T>(t, i, 1));
  }
};

template <class Op>
bool set(Names& names, Instruction& i, const Statement& s, auto types) {
  i.run = for_type<Op>(s.type(), types);
  if (!i.run) names.refuse("this type is not known of the opcode");
  names.result_and_operands(i, s);
  return true;
}
template <class F>
bool set_function(Names& names, Instruction& i, const Statement& s) {
  if (s.type() != "f32") names.refuse("this function is known of f32 alone");
  i.run = &Unary<F>::template run<float>;
  names.result_and_operands(i, s);
  return true;
}

bool parse_sums(const Statement& s, Names& names, Instruction& i) {
  const std::string_view op = s.opcode();
  const bool adds_carry = op.back() == 'c', sets_carry = s.has("cc"), is_mad = op.starts_with("mad");
  if (adds_carry || sets_carry) {
    if (bytes_of(s.type()) != 4) names.refuse("carries are known of 32 bits alone");
    i.run = is_mad ? mad_carry : op[0] == 's' ? sub_carry : add_carry;
    i.form = uint8_t((sets_carry ? kSetsCarry : 0) | (adds_carry ? kAddsCarry : 0) | (s.has("hi") ? kHighHalf : 0));
    names.result_and_operands(i, s);
    return true;
  }
  i.form = rounding_of(s);
  if (is_mad) {
    if (s.type()[0] == 'f') return set<Fma>(names, i, s, Floats());
    if (s.has("wide")) return set<MadWide>(names, i, s, Types<uint16_t, int16_t, uint32_t, int32_t>());
    return s.has("hi") ? set<MadHigh>(names, i, s, Integers()) : set<MadLow>(names, i, s, Integers());
  }
  return op[0] == 's' ? set<Binary<Sub>>(names, i, s, Numbers()) : set<Binary<Add>>(names, i, s, Numbers());
}

bool parse_extremes(const Statement& s, Names& names, Instruction& i) {
  const bool nan = s.has("NaN"), least = s.opcode() == "min";
  if (nan && least) return set<Binary<OrNaN<Min>>>(names, i, s, Floats());
  if (nan) return set<Binary<OrNaN<Max>>>(names, i, s, Floats());
  return least ? set<Binary<Min>>(names, i, s, Numbers()) : set<Binary<Max>>(names, i, s, Numbers());
}

bool parse_setp(const Statement& s, Names& names, Instruction& i) {
  if (s.words.size() < 3 || s.operands.size() < 3) names.refuse("a comparison names its kind, a result and operands");
  i.form = comparison_of(names, s.words[1]);
  i.width = s.has("and") ? kAnd : s.has("or") ? kOr : s.has("xor") ? kXor : kAlone;
  i.run = for_type<SetPredicate>(s.type(), Numbers());
  if (!i.run) names.refuse("this type is not compared");
  for (std::string_view to : split(s.operands[0], '|')) names.to(i, to);
  for (size_t k = 1; k < s.operands.size(); ++k) names.from(i, s.operands[k]);
  if ((i.width != kAlone) != (i.from_count == 3)) names.refuse("a combination and its predicate go together");
  return true;
}

}  // namespace

bool parse_arithmetic(const Statement& s, Names& names, Instruction& i) {
  const std::string_view op = s.opcode();
  i.flush = s.has("ftz");
  if (s.has("sat") && op != "cvt") names.refuse("saturation is known of conversions alone");
  if (op == "add" || op == "addc" || op == "sub" || op == "subc" || op == "mad" || op == "madc")
    return parse_sums(s, names, i);
  if (op == "setp") return parse_setp(s, names, i);
  if (op == "min" || op == "max") return parse_extremes(s, names, i);
  if (op == "selp") return set<Select>(names, i, s, Numbers());
  if (op == "mul") {
    if (s.has("wide")) return set<MulWide>(names, i, s, Types<uint16_t, int16_t, uint32_t, int32_t>());
    if (s.has("hi")) return set<MulHigh>(names, i, s, Integers());
    i.form = rounding_of(s);
    return set<Binary<Mul>>(names, i, s, Numbers());
  }
  if (op == "fma") {
    i.form = rounding_of(s);
    return set<Fma>(names, i, s, Floats());
  }
  if (op == "div") {
    i.form = rounding_of(s);
    return set<Binary<Div>>(names, i, s, Numbers());
  }
  if (op == "rem") return set<Binary<Rem>>(names, i, s, Integers());
  if (op == "abs") return set<Unary<Abs>>(names, i, s, Types<int16_t, int32_t, int64_t, float, double>());
  if (op == "neg") return set<Unary<Neg>>(names, i, s, Types<int16_t, int32_t, int64_t, float, double>());
  if (op == "copysign") return set<Binary<CopySign>>(names, i, s, Floats());
  if (op == "sqrt") return set<Unary<Sqrt>>(names, i, s, Floats());
  if (op == "rcp") return set<Unary<Reciprocal>>(names, i, s, Floats());
  if (op == "rsqrt") return set<Unary<ReciprocalSqrt>>(names, i, s, Floats());
  if (op == "ex2") return set_function<Exp2>(names, i, s);
  if (op == "lg2") return set_function<Log2>(names, i, s);
  if (op == "sin") return set_function<Sin>(names, i, s);
  if (op == "cos") return set_function<Cos>(names, i, s);
  if (op == "tanh") return set_function<Tanh>(names, i, s);
  return false;
}

}  // namespace ersatz::ptx
