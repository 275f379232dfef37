// `ersatz fake --smt`: Z3 checks the report's claims about sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/tools/command_line.h"
#include "tests/tracer/program_paths.h"
#include "tools/program/program_input.h"
#include "tools/size_coverage/cover_smt.h"

namespace ersatz::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

bool has_z3() { return std::system("z3 --version > /dev/null 2>&1") == 0; }

struct Verdicts {
  int confirmed = 0;
  std::vector<std::string> refuted, open;
};

/// Runs Z3 on the claims. Z3 prints a line with each claim and the expected answer, and a line with its own answer.
Verdicts judge(const std::string& smt) {
  const std::string path = testing::TempDir() + "ersatz_claims.smt2", answers = path + ".answers";
  std::ofstream(path) << smt;
  EXPECT_EQ(std::system(("z3 -t:5000 " + path + " > " + answers).c_str()), 0) << smt;
  Verdicts v;
  std::ifstream in(answers);
  for (std::string claim, answer; std::getline(in, claim) && std::getline(in, answer);) {
    const std::string expected = claim.substr(claim.rfind(' ') + 1);
    if (answer == expected) {
      ++v.confirmed;
    } else {
      (answer == "unknown" ? v.open : v.refuted).push_back(claim + " " + answer);
    }
  }
  return v;
}

SizeCover cover_of(const std::string& program, const std::vector<std::string>& dynamic) {
  const DynamicInputs sizes = parse_dynamic_inputs(dynamic);
  FakeRunOptions how;
  how.symbolic = true;
  return cover_sizes([&] { return load_dynamic(program, sizes); }, how, 8);
}

TEST(SizeClaims, ASolverBearsThemOut) {
  if (!has_z3()) GTEST_SKIP() << "z3 is not installed (Debian package z3)";
  const auto confirmed = [](const char* name, std::vector<std::string> dynamic) {
    const Verdicts v = judge(to_smt(cover_of(committed_program(name), dynamic), name));
    EXPECT_THAT(v.refuted, testing::IsEmpty()) << name;
    EXPECT_THAT(v.open, testing::IsEmpty()) << name;
    return v.confirmed;
  };
  EXPECT_EQ(confirmed("mlp", {"x:0=batch:1..64"}), 2) << "a case, and sizes of it";
  EXPECT_EQ(confirmed("mlp", {"x:1=width:1..64"}), 4);
  EXPECT_EQ(confirmed("resnet_tiny", {"x:0=batch:1..64", "x:2=4*h:32..256"}), 4);
  EXPECT_GE(confirmed("lenet_bn", {"x:2=h:20..40", "x:3=w:20..40"}), 4);
}

TEST(SizeClaims, OfRecordedProgramsToo) {
  if (!has_z3()) GTEST_SKIP() << "z3 is not installed (Debian package z3)";
  const fs::path own = data_folder() / "programs" / "own";
  if (data_folder().empty()) GTEST_SKIP() << "ERSATZ_DATA names no folder with programs";
  int claims = 0;
  for (const char* name :
       {"moe_tiny", "detection_head", "detection_head_dynamic", "conv_dynamic", "gpt_tiny_dynamic"}) {
    const Verdicts v = judge(to_smt(cover_of(program_in(own / name), {}), name));
    EXPECT_THAT(v.refuted, testing::IsEmpty()) << name;
    claims += v.confirmed;
  }
  EXPECT_GE(claims, 10);
}

// If a guard is removed, some sizes have two cases. If a case is removed, some sizes have no case. Z3 finds both
// faults.
TEST(SizeClaims, ASolverFindsWhatIsWrong) {
  if (!has_z3()) GTEST_SKIP() << "z3 is not installed (Debian package z3)";
  SizeCover cover = cover_of(committed_program("mlp"), {"x:1=width:1..64"});
  ASSERT_EQ(cover.cases.size(), 2U);
  SizeCover unguarded = cover;
  unguarded.cases[0].conditions.clear();
  EXPECT_THAT(judge(to_smt(unguarded, "mlp")).refuted, testing::ElementsAre("no size has case1 and case2: unsat sat"));
  cover.cases.pop_back();
  EXPECT_THAT(judge(to_smt(cover, "mlp")).refuted, testing::ElementsAre("every declared size has a case: unsat sat"));
}

TEST(SizeClaims, CommandWritesThemAndSaysWhereItCannot) {
  const std::string program = committed_program("mlp"), file = testing::TempDir() + "ersatz_mlp.smt2";
  fs::remove(file);
  EXPECT_EQ(run_command({"fake", program, "--dynamic", "x:0=batch:1..64", "--smt", file}).status, 0);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_THAT(text.str(),
              HasSubstr("(declare-const |batch| Int)\n(assert (<= 1 |batch|))\n(assert (<= |batch| 64))\n"));
  EXPECT_THAT(text.str(), HasSubstr("(echo \"every declared size has a case: unsat\")"));
  EXPECT_EQ(run_command({"fake", program, "--smt", "-"}).status, 2);
  EXPECT_EQ(run_command({"fake", program, "--static", "--smt", file}).status, 2);
  EXPECT_EQ(run_command({"fake", program, "--smt", "/no/such/folder/x"}).status, 2);
}

}  // namespace
}  // namespace ersatz::tools
