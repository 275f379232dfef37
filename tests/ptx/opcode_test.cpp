// Each opcode in each of its types, compared with the host.
#include <bit>
#include <limits>
#include <random>
#include <type_traits>

#include "tests/ptx/run_kernel.h"

namespace ersatz::ptx {
namespace {

using std::bit_cast;

template <class T>
const char* letter() {
  return std::is_floating_point_v<T> ? ".f" : ".b";
}
template <class T>
std::string typed() {
  return letter<T>() + std::to_string(8 * sizeof(T));
}

/// Returns limits of the type, small numbers and random bits.
template <class T>
std::vector<T> drawn(size_t n, uint64_t seed) {
  using L = std::numeric_limits<T>;
  std::mt19937_64 random(seed);
  std::vector<T> values{T(0), T(1), static_cast<T>(-1), L::max(), L::lowest(), T(2), T(33)};
  if constexpr (std::is_floating_point_v<T>) {
    for (T v : {-T(0), L::infinity(), -L::infinity(), L::quiet_NaN(), L::min(), T(1.5), T(-2.5), T(1e9), T(70000)})
      values.push_back(v);
  }
  while (values.size() < n) {
    const uint64_t bits = random();
    T v;
    std::memcpy(&v, &bits, sizeof v);
    values.push_back(bits % 3 == 0 ? static_cast<T>(static_cast<int>(bits >> 8 & 255) - 100) : v);
  }
  std::shuffle(values.begin(), values.end(), random);
  return values;
}

template <class T>
bool same(T a, T b) {
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
}

/// Compares `instruction`, which reads %a, %b, %c and writes %d, with the host function.
template <class D, class... S>
void expect_computes(const std::string& instruction, std::type_identity_t<D (*)(S...)> host) {
  SCOPED_TRACE(instruction);
  constexpr size_t kValues = 256, kArguments = sizeof...(S);
  const std::tuple<std::vector<S>...> drawn_values = [&]<size_t... k>(std::index_sequence<k...>) {
    return std::tuple<std::vector<S>...>(drawn<S>(kValues, k + 1)...);
  }
  (std::index_sequence_for<S...>());
  DeviceArray<uint64_t> to(kValues), from(kValues * kArguments);
  std::string registers = ".reg " + typed<D>() + " %d; .reg .pred %p<4>;", loads;
  const auto place = [&]<class T>(size_t k, const std::vector<T>& values) {
    for (size_t i = 0; i < kValues; ++i) std::memcpy(&from[i * kArguments + k], &values[i], sizeof(T));
    const std::string name(1, static_cast<char>('a' + k));
    registers += ".reg " + typed<T>() + " %" + name + ";";
    loads += " ld.global" + typed<T>() + " %" + name + ", [%from+" + std::to_string(8 * k) + "];\n";
  };
  const auto host_of = [&]<size_t... k>(size_t i, std::index_sequence<k...>) {
    return host(std::get<k>(drawn_values)[i]...);
  };
  [&]<size_t... k>(std::index_sequence<k...>) { (place(k, std::get<k>(drawn_values)), ...); }
  (std::index_sequence_for<S...>());
  run_kernel(registers + R"(
    .reg .b32 %t; .reg .b64 %to, %from, %at;
    mov.u32 %t, %tid.x;
    ld.param.u64 %to, [to];
    ld.param.u64 %from, [from];
    mul.wide.u32 %at, %t, 8;
    add.s64 %to, %to, %at;
    mul.wide.u32 %at, %t, )" +
                 std::to_string(8 * kArguments) + ";\n add.s64 %from, %from, %at;\n" + loads + instruction +
                 "\n st.global" + typed<D>() + " [%to], %d;\n ret;",
             to.data(), from.data(), kValues);
  for (size_t i = 0; i < kValues; ++i) {
    D got;
    std::memcpy(&got, &to[i], sizeof got);
    const D expected = host_of(i, std::index_sequence_for<S...>());
    ASSERT_TRUE(same(got, expected)) << "of values " << i << ": " << +got << " where the host has " << +expected;
  }
}

template <class T>
std::string of_type(const std::string& opcode, const char* kind, const char* operands) {
  return opcode + kind + std::to_string(8 * sizeof(T)) + operands;
}

template <class T>
void expect_integer_arithmetic(const char* kind) {
  using U = std::make_unsigned_t<T>;
  const auto two = [&]<class F>(const char* opcode, F host) {
    expect_computes<T, T, T>(of_type<T>(opcode, kind, " %d, %a, %b;"), host);
  };
  two("add", [](T a, T b) { return static_cast<T>(uint64_t(a) + uint64_t(b)); });
  two("sub", [](T a, T b) { return static_cast<T>(uint64_t(a) - uint64_t(b)); });
  two("mul.lo", [](T a, T b) { return static_cast<T>(uint64_t(a) * uint64_t(b)); });
  two("min", [](T a, T b) { return a < b ? a : b; });
  two("max", [](T a, T b) { return a < b ? b : a; });
  two("mul.hi", [](T a, T b) {
    return static_cast<T>(static_cast<unsigned __int128>(static_cast<__int128>(a) * static_cast<__int128>(b)) >>
                          8 * sizeof(T));
  });
  two("div", [](T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    return std::is_signed_v<T> && b == T(-1) ? static_cast<T>(U(0) - U(a)) : static_cast<T>(a / b);
  });
  two("rem", [](T a, T b) { return b == 0 ? a : std::is_signed_v<T> && b == T(-1) ? T(0) : static_cast<T>(a % b); });
  expect_computes<T, T, uint32_t>(of_type<T>("shr", kind, " %d, %a, %b;"), [](T a, uint32_t b) {
    return b >= 8 * sizeof(T) ? static_cast<T>(a < 0 ? -1 : 0) : static_cast<T>(a >> b);
  });
  expect_computes<T, T, T, T>(of_type<T>("mad.lo", kind, " %d, %a, %b, %c;"),
                              [](T a, T b, T c) { return static_cast<T>(uint64_t(a) * uint64_t(b) + uint64_t(c)); });
}

TEST(PtxOpcode, IntegersOfEveryType) {
  expect_integer_arithmetic<int16_t>(".s");
  expect_integer_arithmetic<uint16_t>(".u");
  expect_integer_arithmetic<int32_t>(".s");
  expect_integer_arithmetic<uint32_t>(".u");
  expect_integer_arithmetic<int64_t>(".s");
  expect_integer_arithmetic<uint64_t>(".u");
}

TEST(PtxOpcode, AbsAndNeg) {
  expect_computes<int16_t, int16_t>("abs.s16 %d, %a;", [](int16_t a) { return static_cast<int16_t>(a < 0 ? -a : a); });
  expect_computes<int32_t, int32_t>(
      "abs.s32 %d, %a;", [](int32_t a) { return static_cast<int32_t>(a < 0 ? 0u - uint32_t(a) : uint32_t(a)); });
  expect_computes<int64_t, int64_t>("neg.s64 %d, %a;", [](int64_t a) { return static_cast<int64_t>(0 - uint64_t(a)); });
  expect_computes<float, float>("abs.f32 %d, %a;", [](float a) { return std::fabs(a); });
  expect_computes<double, double>("neg.f64 %d, %a;", [](double a) { return -a; });
}

TEST(PtxOpcode, WideAndHighProducts) {
  expect_computes<int32_t, int16_t, int16_t>("mul.wide.s16 %d, %a, %b;", [](int16_t a, int16_t b) { return a * b; });
  expect_computes<uint32_t, uint16_t, uint16_t>("mul.wide.u16 %d, %a, %b;",
                                                [](uint16_t a, uint16_t b) { return uint32_t(a) * b; });
  expect_computes<int64_t, int32_t, int32_t>("mul.wide.s32 %d, %a, %b;",
                                             [](int32_t a, int32_t b) { return int64_t(a) * b; });
  expect_computes<uint64_t, uint32_t, uint32_t>("mul.wide.u32 %d, %a, %b;",
                                                [](uint32_t a, uint32_t b) { return uint64_t(a) * b; });
  expect_computes<uint64_t, uint32_t, uint32_t, uint64_t>(
      "mad.wide.u32 %d, %a, %b, %c;", [](uint32_t a, uint32_t b, uint64_t c) { return uint64_t(a) * b + c; });
  expect_computes<uint32_t, uint32_t, uint32_t, uint32_t>(
      "mad.hi.u32 %d, %a, %b, %c;",
      [](uint32_t a, uint32_t b, uint32_t c) { return static_cast<uint32_t>((uint64_t(a) * b >> 32) + c); });
}

TEST(PtxOpcode, CarriesGoFromOneSumToTheNext) {
  const char* const parts = ".reg .b32 %lo<4>, %hi<4>; mov.b64 {%lo0, %hi0}, %a; mov.b64 {%lo1, %hi1}, %b;";
  expect_computes<uint64_t, uint64_t, uint64_t>(
      std::string(parts) + "add.cc.u32 %lo2, %lo0, %lo1; addc.u32 %hi2, %hi0, %hi1; mov.b64 %d, {%lo2, %hi2};",
      [](uint64_t a, uint64_t b) { return a + b; });
  expect_computes<uint64_t, uint64_t, uint64_t>(
      std::string(parts) + "sub.cc.u32 %lo2, %lo0, %lo1; subc.u32 %hi2, %hi0, %hi1; mov.b64 %d, {%lo2, %hi2};",
      [](uint64_t a, uint64_t b) { return a - b; });
  // These instructions compute the lower 64 bits of a product from its 32-bit parts.
  expect_computes<uint64_t, uint64_t, uint64_t>(
      std::string(parts) +
          "mul.lo.u32 %lo2, %lo0, %lo1; mul.hi.u32 %hi2, %lo0, %lo1; mad.lo.cc.u32 %hi2, %lo0, %hi1, %hi2; "
          "madc.lo.cc.u32 %hi3, %hi0, %lo1, 0; mad.lo.u32 %hi2, %hi0, %lo1, %hi2; mov.b64 %d, {%lo2, %hi2};",
      [](uint64_t a, uint64_t b) { return a * b; });
  expect_computes<uint32_t, uint32_t, uint32_t>(
      "add.cc.u32 %d, %a, %b; madc.hi.u32 %d, %a, %b, 7;", [](uint32_t a, uint32_t b) {
        return static_cast<uint32_t>((uint64_t(a) * b >> 32) + 7 + ((uint64_t(a) + b) >> 32));
      });
}

template <class T>
void expect_float_arithmetic() {
  const auto two = [&]<class F>(const char* opcode, F host) {
    expect_computes<T, T, T>(of_type<T>(opcode, ".f", " %d, %a, %b;"), host);
  };
  two("add.rn", [](T a, T b) { return a + b; });
  two("sub.rn", [](T a, T b) { return a - b; });
  two("mul.rn", [](T a, T b) { return a * b; });
  two("div.rn", [](T a, T b) { return a / b; });
  two("copysign", [](T a, T b) { return std::copysign(b, a); });
  two("min", [](T a, T b) { return a == 0 && b == 0 ? (std::signbit(a) ? a : b) : std::fmin(a, b); });
  two("max", [](T a, T b) { return a == 0 && b == 0 ? (std::signbit(a) ? b : a) : std::fmax(a, b); });
  two("min.NaN", [](T a, T b) {
    return a != a || b != b   ? std::numeric_limits<T>::quiet_NaN()
           : a == 0 && b == 0 ? (std::signbit(a) ? a : b)
                              : std::fmin(a, b);
  });
  expect_computes<T, T>(of_type<T>("sqrt.rn", ".f", " %d, %a;"), [](T a) { return std::sqrt(a); });
  expect_computes<T, T>(of_type<T>("rcp.rn", ".f", " %d, %a;"), [](T a) { return 1 / a; });
  expect_computes<T, T, T, T>(of_type<T>("fma.rn", ".f", " %d, %a, %b, %c;"),
                              [](T a, T b, T c) { return std::fma(a, b, c); });
}

TEST(PtxOpcode, FloatsOfEveryType) {
  expect_float_arithmetic<float>();
  expect_float_arithmetic<double>();
}

// In double, sums and products of floats are exact enough to show in which direction a float was rounded.
TEST(PtxOpcode, RoundingsGoTowardsTheirSide) {
  const auto toward = [](const char* instruction, auto is_right) {
    DeviceArray<float> to(256), from(512);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> drawn(-3, 3);
    for (size_t i = 0; i < 512; ++i) from[i] = drawn(random);
    run_kernel(R"(.reg .f32 %a, %b, %d; .reg .b32 %t; .reg .b64 %to, %from, %at;
      mov.u32 %t, %tid.x; ld.param.u64 %to, [to]; ld.param.u64 %from, [from]; mul.wide.u32 %at, %t, 4; add.s64 %to, %to, %at;
      mul.wide.u32 %at, %t, 8; add.s64 %from, %from, %at; ld.global.v2.f32 {%a, %b}, [%from];)" +
                   std::string(instruction) + "st.global.f32 [%to], %d; ret;",
               to.data(), from.data(), 256);
    for (size_t i = 0; i < 256; ++i) EXPECT_TRUE(is_right(to[i], from[2 * i], from[2 * i + 1])) << instruction << i;
  };
  toward("add.rz.f32 %d, %a, %b;", [](float d, double a, double b) {
    return std::fabs(d) <= std::fabs(a + b) && std::nextafter(std::fabs(d), 9.f) > std::fabs(a + b);
  });
  toward("fma.rz.f32 %d, %a, %b, 0f00000000;", [](float d, double a, double b) {
    return std::fabs(d) <= std::fabs(a * b) && std::nextafter(std::fabs(d), 9.f) > std::fabs(a * b);
  });
  toward("fma.rm.f32 %d, %a, %b, 0f00000000;",
         [](float d, double a, double b) { return d <= a * b && std::nextafter(d, 10.f) > a * b; });
  toward("mul.rp.f32 %d, %a, %b;",
         [](float d, double a, double b) { return d >= a * b && std::nextafter(d, -10.f) < a * b; });
}

TEST(PtxOpcode, FunctionsAreTheHosts) {
  expect_computes<float, float>("ex2.approx.f32 %d, %a;", [](float a) { return std::exp2(a); });
  expect_computes<float, float>("lg2.approx.f32 %d, %a;", [](float a) { return std::log2(a); });
  expect_computes<float, float>("sin.approx.f32 %d, %a;", [](float a) { return std::sin(a); });
  expect_computes<float, float>("cos.approx.f32 %d, %a;", [](float a) { return std::cos(a); });
  expect_computes<float, float>("tanh.approx.f32 %d, %a;", [](float a) { return std::tanh(a); });
  expect_computes<double, double>("rsqrt.approx.f64 %d, %a;", [](double a) { return 1 / std::sqrt(a); });
}

TEST(PtxOpcode, FlushedSubnormalsAreZeros) {
  expect_computes<float, float, float>("add.ftz.f32 %d, %a, %b;", [](float a, float b) {
    const auto flushed = [](float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.f, v) : v; };
    return flushed(flushed(a) + flushed(b));
  });
}

template <class T>
void expect_bit_operations() {
  const auto two = [&]<class F>(const char* opcode, F host) {
    expect_computes<T, T, T>(of_type<T>(opcode, ".b", " %d, %a, %b;"), host);
  };
  two("and", [](T a, T b) { return static_cast<T>(a & b); });
  two("or", [](T a, T b) { return static_cast<T>(a | b); });
  two("xor", [](T a, T b) { return static_cast<T>(a ^ b); });
  expect_computes<T, T>(of_type<T>("not", ".b", " %d, %a;"), [](T a) { return static_cast<T>(~a); });
  expect_computes<T, T, uint32_t>(of_type<T>("shl", ".b", " %d, %a, %b;"),
                                  [](T a, uint32_t b) { return b >= 8 * sizeof(T) ? T(0) : static_cast<T>(a << b); });
}
template <class T>
void expect_bit_counts() {
  constexpr uint32_t kBits = 8 * sizeof(T);
  expect_computes<uint32_t, T>(of_type<T>("popc", ".b", " %d, %a;"),
                               [](T a) { return static_cast<uint32_t>(std::popcount(a)); });
  expect_computes<uint32_t, T>(of_type<T>("clz", ".b", " %d, %a;"),
                               [](T a) { return static_cast<uint32_t>(std::countl_zero(a)); });
  expect_computes<T, T>(of_type<T>("brev", ".b", " %d, %a;"), [](T a) {
    T v = 0;
    for (uint32_t k = 0; k < kBits; ++k) v |= (a >> k & 1) << (kBits - 1 - k);
    return v;
  });
  expect_computes<T, T, T>(of_type<T>("bfi", ".b", " %d, %a, %b, 5, 9;"), [](T a, T b) {
    const T mask = T(0x1ff) << 5;
    return static_cast<T>((b & ~mask) | (a << 5 & mask));
  });
  expect_computes<T, T>(of_type<T>("bfe", ".u", " %d, %a, 3, 7;"), [](T a) { return static_cast<T>(a >> 3 & 0x7f); });
}

TEST(PtxOpcode, BitsOfEveryType) {
  expect_bit_operations<uint16_t>();
  expect_bit_operations<uint32_t>();
  expect_bit_operations<uint64_t>();
  expect_bit_counts<uint32_t>();
  expect_bit_counts<uint64_t>();
  expect_computes<int32_t, int32_t>("bfe.s32 %d, %a, 3, 7;",
                                    [](int32_t a) { return static_cast<int32_t>(uint32_t(a) << 22) >> 25; });
  expect_computes<uint32_t, uint32_t, uint32_t>("bmsk.clamp.b32 %d, %a, %b;", [](uint32_t a, uint32_t b) {
    uint64_t v = 0;
    for (uint64_t k = a; k < 32 && k < uint64_t(a) + b; ++k) v |= 1ull << k;
    return static_cast<uint32_t>(v);
  });
  expect_computes<uint32_t, uint32_t>("bfind.u32 %d, %a;",
                                      [](uint32_t a) { return static_cast<uint32_t>(31 - std::countl_zero(a)); });
  expect_computes<uint32_t, uint32_t, uint32_t, uint32_t>(
      "lop3.b32 %d, %a, %b, %c, 0xE8;", [](uint32_t a, uint32_t b, uint32_t c) { return (a & b) | (a & c) | (b & c); });
  expect_computes<uint32_t, uint32_t, uint32_t, uint32_t>("shf.l.wrap.b32 %d, %a, %b, %c;",
                                                          [](uint32_t a, uint32_t b, uint32_t c) {
                                                            c &= 31;
                                                            return c == 0 ? b : b << c | a >> (32 - c);
                                                          });
  expect_computes<uint32_t, uint32_t, uint32_t, uint32_t>("shf.r.clamp.b32 %d, %a, %b, %c;",
                                                          [](uint32_t a, uint32_t b, uint32_t c) {
                                                            return c >= 32 ? b : c == 0 ? a : a >> c | b << (32 - c);
                                                          });
  expect_computes<uint32_t, uint32_t, uint32_t>("prmt.b32 %d, %a, %b, 0x4f21;", [](uint32_t a, uint32_t b) {
    const uint32_t sign = b >> 31 ? 0xff : 0;  // selector 0xf: the sign of byte 7
    return (a >> 8 & 0xff) | (a >> 16 & 0xff) << 8 | sign << 16 | (b & 0xff) << 24;
  });
}

TEST(PtxOpcode, ComparisonsAndTheirCombinations) {
  const std::string select = " selp.u32 %d, 1, 0, %p0;";
  const auto compares = [&]<class T>(const char* kind, const char* type, bool (*host)(T, T)) {
    static bool (*current)(T, T);
    current = host;
    expect_computes<uint32_t, T, T>(std::string("setp.") + kind + "." + type + " %p0, %a, %b;" + select,
                                    [](T a, T b) { return uint32_t(current(a, b)); });
  };
  compares.operator()<float>("lt", "f32", [](float a, float b) { return a < b; });
  compares.operator()<float>("neu", "f32", [](float a, float b) { return a != b; });
  compares.operator()<float>("ne", "f32", [](float a, float b) { return a < b || a > b; });
  compares.operator()<float>("geu", "f32", [](float a, float b) { return !(a < b); });
  compares.operator()<float>("num", "f32", [](float a, float b) { return a == a && b == b; });
  compares.operator()<double>("nan", "f64", [](double a, double b) { return a != a || b != b; });
  compares.operator()<int16_t>("gt", "s16", [](int16_t a, int16_t b) { return a > b; });
  compares.operator()<uint32_t>("lo", "u32", [](uint32_t a, uint32_t b) { return a < b; });
  compares.operator()<int64_t>("le", "s64", [](int64_t a, int64_t b) { return a <= b; });
  expect_computes<uint32_t, int32_t, int32_t>(
      "setp.lt.s32 %p1, %a, 0; setp.lt.and.s32 %p0|%p2, %b, 0, !%p1; selp.u32 %d, 1, 0, %p0; @%p2 add.u32 %d, %d, 2;",
      [](int32_t a, int32_t b) { return uint32_t(b < 0 && a >= 0) + 2 * uint32_t(b >= 0 && a >= 0); });
  expect_computes<uint32_t, int32_t, int32_t>("setp.lt.s32 %p1, %a, 0; setp.lt.xor.s32 %p0, %b, 0, %p1;" + select,
                                              [](int32_t a, int32_t b) { return uint32_t((a < 0) != (b < 0)); });
}

}  // namespace
}  // namespace ersatz::ptx
