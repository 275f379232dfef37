// `--backend`: predictions for a GPU model that is not present (BEY-11).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "runtime/op/recorded_layout.h"
#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A program that was recorded on a GPU where attention ran as a composite of other operators.
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
  EXPECT_THAT(r.out, HasSubstr("f32[2,4,5,8]{160,40,8,1}?+0@cuda:0"));
  EXPECT_THAT(r.out, HasSubstr("strides: unknown_layout 1"));
}

/// Attention, followed by other calls. A view has the strides of its base, a sum those of its first operand, and
/// `reshape` of transposed heads copies.
std::string attention_block(const std::string& inputs) {
  return scratch_file("block.txt", R"(ersatz program 1
graph()" + inputs + R"():
  %y: f32[2,4,5,8]{160,40,8,1}+0@cuda:0 = aten.scaled_dot_product_attention.default(%q, %k, %k)
  %heads: f32[2,5,4,8]{160,8,40,1}+0@cuda:0 = aten.transpose.int(%y, 1, 2)
  %sum: f32[2,4,5,8]{160,40,8,1}+0@cuda:0 = aten.add.Tensor(%y, %q)
  %turned: f32[2,4,5,8]{160,40,8,1}+0@cuda:0 = aten.add.Tensor(%q, %y)
  %flat: f32[2,5,32]{160,32,1}+0@cuda:0 = aten.reshape.default(%heads, [2, 5, 32])
  %dense: f32[2,4,5,8]{160,40,8,1}+0@cuda:0 = aten.clone.default(%y, memory_format=contiguous)
  return %flat
)");
}
const std::string kHeads =
    R"(%q: f32[2,4,5,8]{160,40,8,1}+0@cuda:0 = input "q", %k: f32[2,4,7,8]{224,56,8,1}+0@cuda:0 = input "k")";

/// Maps the name of each result to whether `?` marks its strides. Text and JSON must agree.
std::map<std::string, bool> marked(const std::vector<std::string>& command) {
  std::vector<std::string> with_json = command;
  with_json.emplace_back("--json");
  std::map<std::string, bool> found;
  const nlohmann::json report = run_command(with_json).json();
  const std::string text = run_command(command).out;
  for (const auto& row : report["results"]) {
    const std::string name = row["name"];
    found[name] = row.value("strides_by_backend", false);
    const size_t begin = text.find(name + " ");
    const std::string line = text.substr(begin, text.find('\n', begin) - begin);
    EXPECT_EQ(line.find("}?+0@cuda:0") != line.npos, found[name]) << line;
  }
  return found;
}

TEST(Backend, UnnamedBackendMarksItsStridesAndFollowers) {
  const std::string program = attention_block(kHeads);
  const std::map<std::string, bool> open = {{"y", true},       {"heads", true}, {"sum", true},
                                            {"turned", false}, {"flat", false}, {"dense", false}};
  EXPECT_EQ(marked({"fake", program, "--device", "cuda"}), open);
  const CommandResult r = run_command({"fake", program, "--device", "cuda"});
  EXPECT_THAT(r.out, HasSubstr("?: the GPU and its libraries decide the strides of 3 results; --backend"));
  // With sm_90 and no version of cuDNN, only results of f16 and bf16 are open, and this program has f32.
  for (const auto& [name, is_open] : marked({"fake", program, "--device", "cuda", "--backend", "sm_90"})) {
    EXPECT_FALSE(is_open) << name;
  }
  for (const auto& [name, is_open] : marked({"fake", program, "--device", "cpu"})) EXPECT_FALSE(is_open) << name;
}

TEST(Backend, ThatNobodyNamesMarksStridesOfSymbols) {
  const std::map<std::string, bool> found =
      marked({"fake", attention_block(kHeads), "--device", "cuda", "--dynamic", "q:2=n:2..64@5"});
  EXPECT_TRUE(found.at("y"));
  EXPECT_TRUE(found.at("heads"));
  EXPECT_FALSE(found.at("dense"));
}

TEST(Backend, UnnamedBackendMarksOtherwiseUnreachedStrides) {
  const std::string program = scratch_file("view.txt", R"(ersatz program 1
graph()" + kHeads + R"():
  %y: f32[2,4,5,8]{160,40,8,1}+0@cuda:0 = aten.scaled_dot_product_attention.default(%q, %k, %k)
  %rows: f32[2,20,8]{160,8,1}+0@cuda:0 = aten.view.default(%y, [2, 20, 8])
  return %rows
)");
  EXPECT_TRUE(marked({"fake", program, "--device", "cuda"}).at("rows"));
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
