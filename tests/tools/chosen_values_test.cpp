// LAPACK chooses the signs of eigenvectors. Stored outputs of a program may have other signs than ersatz's results.
// Both are right if they satisfy the equations.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

constexpr const char* kProgram =
    "ersatz program 1\n\n"
    "graph(%a: f32[2,2]):\n"
    "  %w: f32[2], %v: f32[2,2]{1,2} = aten.linalg_eigh.default(%a)\n"
    "  %twice: f32[2,2]{1,2} = aten.mul.Scalar(%v, 2)\n"
    "  return %w, %v, %twice\n";

/// Runs the program for diag(1, 3) and compares it with these stored results, each row-major.
CommandResult held_against(std::vector<float> w, std::vector<float> v, std::vector<float> twice) {
  std::string bytes;
  const auto store = [&](const std::vector<float>& values) {
    const size_t at = bytes.size();
    bytes.resize(at + 4 * values.size());
    std::memcpy(bytes.data() + at, values.data(), 4 * values.size());
  };
  for (const auto& values : {std::vector<float>{1, 0, 0, 3}, w, v, twice}) store(values);
  scratch_file("eigen/values.bin", bytes);
  const std::string rows = scratch_file(
      "eigen/inputs_outputs.json",
      R"({"program": "eigen", "torch": "2.15.0", "file": "values.bin", "order": "row-major little-endian", "inputs": [)"
      R"({"name": "a", "meta": "f32[2,2]{2,1}+0@cpu", "offset": 0, "bytes": 16}], "outputs": [)"
      R"({"name": "w", "meta": "f32[2]{1}+0@cpu", "offset": 16, "bytes": 8},)"
      R"({"name": "v", "meta": "f32[2,2]{1,2}+0@cpu", "offset": 24, "bytes": 16},)"
      R"({"name": "twice", "meta": "f32[2,2]{1,2}+0@cpu", "offset": 40, "bytes": 16}],)"
      R"("buffers_after": [], "inputs_after": []})");
  return run_command({"crosscheck", scratch_file("eigen/eigen.txt", kProgram), "--inputs", rows, "--json"});
}

TEST(ChosenValues, OtherSignsOfEigenvectorsAreAsRight) {
  for (const float sign : {1.0f, -1.0f}) {
    const CommandResult r = held_against({1, 3}, {sign, 0, 0, sign}, {2 * sign, 0, 0, 2 * sign});
    ASSERT_EQ(r.status, 0) << r.out << r.err;
    // An output that was computed from eigenvectors is not compared if the signs differ; the eigenvectors themselves
    // are.
    EXPECT_EQ(r.json()["values_compared"].get<int>() + r.json()["values_skipped"].value("chosen", 0), 3) << r.out;
  }
  const CommandResult mixed = held_against({1, 3}, {1, 0, 0, -1}, {2, 0, 0, -2});
  EXPECT_EQ(mixed.status, 0) << mixed.out;
  EXPECT_EQ(mixed.json()["values_compared"], 2);
  EXPECT_EQ(mixed.json()["values_skipped"]["chosen"], 1);
}

TEST(ChosenValues, WhatIsDeterminedIsStillCompared) {
  const CommandResult r = held_against({1, 4}, {1, 0, 0, 1}, {2, 0, 0, 2});
  EXPECT_EQ(r.status, 1) << r.out;
  EXPECT_EQ(r.json()["first"]["node"], "w");
}

}  // namespace
}  // namespace ersatz::tools
