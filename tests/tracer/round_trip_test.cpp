#include <gtest/gtest.h>

#include "runtime/base/error.h"
#include "tests/tracer/program_paths.h"
#include "tracer/pt2/program_file.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

void expect_round_trip(const Program& program, const std::string& what) {
  SCOPED_TRACE(what);
  const std::string text = print_program(program);
  const Program parsed = parse_program_text(text, what);
  std::string why;
  EXPECT_TRUE(same_program(program, parsed, &why)) << why;
  EXPECT_TRUE(print_program(parsed) == text) << "printing the parsed program gives another text";
}

TEST(RoundTrip, CommittedProgramsComeBackFromTheirText) {
  const auto folders = program_folders(std::filesystem::path(ERSATZ_SOURCE_DIR) / "tests" / "programs");
  ASSERT_GE(folders.size(), 5u);
  for (const std::string& folder : folders) expect_round_trip(load_program(program_in(folder)), folder);
}

TEST(RoundTrip, AllDataProgramsRoundTripThroughText) {
  if (data_folder().empty()) GTEST_SKIP() << "ERSATZ_DATA is not set: 80 programs not tried";
  const auto folders = program_folders(data_folder() / "programs");
  ASSERT_EQ(folders.size(), 80u);
  for (const std::string& folder : folders) {
    try {
      expect_round_trip(load_program(program_in(folder)), folder);
    } catch (const Error& e) {
      ADD_FAILURE() << folder << ": " << e.message;
    }
  }
}

}  // namespace
}  // namespace ersatz
