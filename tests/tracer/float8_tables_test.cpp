// Compares conversions to and from 8-bit floats with PyTorch 2.15's results (shared data: lowp/tables). A run converts
// all patterns of f16 and bf16 and a sample of f32; with scripts/conversion_tables it converts all 2^32.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "kernels/pointwise/block_move.h"
#include "tests/tracer/program_paths.h"

namespace ersatz {
namespace {

using Json = nlohmann::json;

Json table(const std::string& name) {
  std::ifstream file(data_folder() / "lowp" / "tables" / name);
  return file ? Json::parse(file) : Json();
}

template <class Bits>
uint8_t converted(DType to, DType from, Bits bits) {
  uint8_t code = 0;
  pointwise::converter(to, from)(&code, &bits, 1);
  return code;
}

struct Tried {
  uint64_t patterns = 0, differ = 0;
};

/// Converts every `step`th pattern of each run and its last pattern, in blocks. A run is a range of patterns with one
/// code: [first pattern, code], up to the next run.
template <class Bits>
void try_runs(const Json& runs, DType to, DType from, uint64_t step, Tried& tried) {
  const auto convert = pointwise::converter(to, from);
  const auto hex = [&](size_t k, size_t column) {
    return std::stoull(runs[k][column].get<std::string>(), nullptr, 16);
  };
  std::vector<Bits> patterns;
  std::vector<uint8_t> codes(4096);
  for (size_t i = 0; i < runs.size(); ++i) {
    const uint64_t end = i + 1 < runs.size() ? hex(i + 1, 0) : uint64_t(1) << (8 * sizeof(Bits));
    const auto code = static_cast<uint8_t>(hex(i, 1));
    const auto flush = [&] {
      convert(codes.data(), patterns.data(), static_cast<int64_t>(patterns.size()));
      for (size_t k = 0; k < patterns.size(); ++k) {
        if (codes[k] == code) continue;
        EXPECT_GT(tried.differ++, 0u) << name(from) << " " << std::hex << uint64_t{patterns[k]} << " becomes "
                                      << int{codes[k]} << ", not " << int{code};  // only the first difference is shown
      }
      tried.patterns += patterns.size();
      patterns.clear();
    };
    for (uint64_t bits = hex(i, 0); bits < end; bits += step) {
      patterns.push_back(static_cast<Bits>(bits));
      if (patterns.size() == codes.size()) flush();
    }
    if (step > 1) patterns.push_back(static_cast<Bits>(end - 1));
    flush();
  }
}

TEST(Float8Tables, EveryPatternConvertsToTheRecordedCode) {
  if (table("codes.json").is_null()) GTEST_SKIP() << "ERSATZ_DATA has no lowp/tables: 5 formats not tried";
  const uint64_t step = std::getenv("ERSATZ_ALL_PATTERNS") ? 1 : 1021;
  for (int t = 0; t < kDTypeCount; ++t) {
    const auto dtype = static_cast<DType>(t);
    if (!kFloat8s.has(dtype)) continue;
    SCOPED_TRACE(std::string(name(dtype)));
    const Json runs = table("to_" + std::string(name(dtype)) + ".json");
    Tried tried;
    try_runs<uint16_t>(runs["from_f16"], dtype, DType::F16, 1, tried);
    try_runs<uint16_t>(runs["from_bf16"], dtype, DType::BF16, 1, tried);
    try_runs<uint32_t>(runs["from_f32"], dtype, DType::F32, step, tried);
    EXPECT_EQ(tried.differ, 0u);
    if (step == 1) EXPECT_EQ(tried.patterns, (uint64_t(1) << 32) + 2 * (uint64_t(1) << 16));
    fmt::print("{}: {} of {} patterns differ\n", name(dtype), tried.differ, tried.patterns);
  }
}

TEST(Float8Tables, EveryCodeConvertsToTheRecordedBits) {
  const Json codes = table("codes.json");
  if (codes.is_null()) GTEST_SKIP() << "ERSATZ_DATA has no lowp/tables: 5 formats not tried";
  for (const auto& [format, columns] : codes.items()) {
    const DType from = parse_dtype(format).value();
    const auto expect = [&](const char* column, DType to) {
      for (int code = 0; code < 256; ++code) {
        uint64_t bits = 0;
        pointwise::converter(to, from)(&bits, &code, 1);
        const std::string spelled = fmt::format("{:0{}x}", bits, 2 * item_size(to));
        ASSERT_EQ(spelled, columns[column][static_cast<size_t>(code)].get<std::string>()) << format << " " << code;
      }
    };
    expect("to_f32", DType::F32);
    expect("to_f16", DType::F16);
    expect("to_bf16", DType::BF16);
    expect("to_f64", DType::F64);
    for (const auto& [other, unused] : codes.items()) {
      if (other == format) continue;
      const std::string all = columns["to_" + other];
      for (int code = 0; code < 256; ++code) {
        const auto expected = std::stoi(all.substr(static_cast<size_t>(2 * code), 2), nullptr, 16);
        ASSERT_EQ(converted(*parse_dtype(other), from, static_cast<uint8_t>(code)), expected)
            << format << " " << code << " to " << other;
      }
    }
  }
}

}  // namespace
}  // namespace ersatz
