// `--backend`: what a GPU that is not here would give (BEY-11).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/op/recorded_layout.h"
#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Recorded on a GPU that composed attention.
std::string attention() {
  return scratch_file("attention.txt", R"(ersatz program 1
graph(%q: f32[2,4,5,8]{160,40,8,1}+0@cuda:0 = input "q", %k: f32[2,4,7,8]{224,56,8,1}+0@cuda:0 = input "k"):
  %y: f32[2,4,5,8]{160,40,8,1}+0@cuda:0 = aten.scaled_dot_product_attention.default(%q, %k, %k)
  return %y
)");
}

TEST(Backend, SaysWhichStridesAGpuGives) {
  const CommandResult h100 = run_command({"fake", attention(), "--device", "cuda", "--backend", "sm_90,cudnn=91900"});
  EXPECT_EQ(h100.status, 0) << h100.err;
  EXPECT_THAT(h100.out, HasSubstr("f32[2,4,5,8]{160,8,32,1}+0@cuda:0"));
  EXPECT_THAT(h100.out, Not(HasSubstr("unknown_layout")));
}

TEST(Backend, ThatNobodyNamesHasUnknownLayouts) {
  const CommandResult r = run_command({"fake", attention(), "--device", "cuda"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("f32[2,4,5,8]{160,40,8,1}+0@cuda:0"));
  EXPECT_THAT(r.out, HasSubstr("strides: unknown_layout 1"));
}

TEST(Backend, IsHeldAgainstRecordsWithoutRunning) {
  const CommandResult unknown = run_command({"crosscheck", attention(), "--device", "cuda", "--no-real"});
  EXPECT_EQ(unknown.status, 0) << unknown.out << unknown.err;
  EXPECT_THAT(unknown.out, HasSubstr("strides: unknown_layout"));
  const CommandResult r =
      run_command({"crosscheck", attention(), "--device", "cuda", "--no-real", "--backend", "sm_80"});
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("{160,8,32,1}"));
}

TEST(Backend, ThatIsMisspeltIsRefusedWithAnExample) {
  for (const char* text : {"h100", "sm90", "sm_", "sm_90,cudnn", "sm_90,cudnn=9.19", "sm_90,nccl=2", "sm_1"}) {
    const CommandResult r = run_command({"fake", attention(), "--device", "cuda", "--backend", text});
    EXPECT_EQ(r.status, 2) << text;
    EXPECT_THAT(r.err, HasSubstr("sm_90,cublas=130100,cudnn=91900")) << text;
  }
}

TEST(Backend, IsOfACudaDeviceAndOfPredictions) {
  const CommandResult cpu = run_command({"fake", attention(), "--device", "cpu", "--backend", "sm_90"});
  EXPECT_EQ(cpu.status, 2);
  EXPECT_THAT(cpu.err, HasSubstr("give --device cuda"));
  const CommandResult real = run_command({"crosscheck", attention(), "--backend", "sm_90"});
  EXPECT_EQ(real.status, 2);
  EXPECT_THAT(real.err, HasSubstr("--no-real"));
}

TEST(Backend, IsSpeltAsRowsOfRecordedLayoutsAre) {
  const BackendRecord h100{90, 130100, 91900};
  EXPECT_EQ(parse_backend("sm_90,cublas=130100,cudnn=91900"), h100);
  EXPECT_EQ(parse_backend("sm_90,cudnn=91900,cublas=130100"), h100);
  EXPECT_EQ(parse_backend("sm_90"), (BackendRecord{90, 0, 0}));
  EXPECT_EQ(to_string(h100), "sm_90,cublas=130100,cudnn=91900");
}

}  // namespace
}  // namespace ersatz::tools
