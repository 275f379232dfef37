// Facts and stored values that belong to another program or another run are recognised.
#include <gtest/gtest.h>

#include "runtime/tensor/meta_text.h"
#include "tests/tracer/program_paths.h"
#include "tracer/pt2/program_file.h"
#include "tracer/records/program_match.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

std::string changed(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

std::string beside(const std::string& program, const char* file) {
  return (std::filesystem::path(committed_program(program)).parent_path() / file).string();
}

class OtherFacts : public ::testing::Test {
 protected:
  const Program mlp_ = load_program(committed_program("mlp"));
  const std::string text_ = read_file(beside("mlp", "facts.json"));

  std::string why(const std::string& text) const {
    return mismatch(Facts::parse(text, "f.json"), mlp_, SymbolValues(mlp_));
  }
};

TEST_F(OtherFacts, OfEveryCommittedProgramBelongToItAlone) {
  const auto folders = program_folders(std::filesystem::path(ERSATZ_SOURCE_DIR) / "tests" / "programs");
  for (const std::string& of : folders) {
    const Program p = load_program(program_in(of));
    for (const std::string& other : folders) {
      const Facts facts = Facts::load(other + "/facts.json");
      const InputsOutputs values = InputsOutputs::load(other + "/inputs_outputs.json");
      EXPECT_EQ(mismatch(facts, p, SymbolValues(p)).empty(), of == other) << of << ", " << other;
      if (of == other) {
        EXPECT_EQ(mismatch(values, p), "") << of;
      }
    }
  }
}

TEST_F(OtherFacts, SayWhichNodeIsAnother) {
  EXPECT_EQ(why(changed(text_, R"("node": "relu")", R"("node": "gelu")")),
            "node 'relu' (aten.relu.default) of the program is 'gelu' (torch.ops.aten.relu.default) there");
}

TEST_F(OtherFacts, SayWhichOperatorIsAnother) {
  EXPECT_EQ(why(changed(text_, "torch.ops.aten.tanh.default", "torch.ops.aten.sigmoid.default")),
            "node 'tanh' is aten.tanh.default in the program and torch.ops.aten.sigmoid.default there");
}

TEST_F(OtherFacts, SayWhichResultsAreOthers) {
  EXPECT_EQ(why(changed(text_, R"("value": "tanh")", R"("value": "tanh_1")")),
            "node 'tanh' has the results tanh in the program and tanh_1 there");
}

TEST_F(OtherFacts, SayWhatIsMissingOrTooMuch) {
  const std::string row = R"({"node": "more", "target": "torch.ops.aten.relu.default", "outputs": []})";
  EXPECT_EQ(why(text_.substr(0, text_.rfind(']')) + ", " + row + "]}"),
            "node 'more' is there, the program ends after 10 nodes");
  const size_t last = text_.rfind("{\"node\"");
  const std::string shorter = text_.substr(0, text_.rfind(',', last)) + "]";
  EXPECT_EQ(why(shorter + "}"),
            "node '_log_softmax' (aten._log_softmax.default) is not there (9 nodes, the program has 10)");
  EXPECT_EQ(why(shorter + R"(, "error": "out of memory"})"), "");  // the facts of a run that ended early are accepted
}

TEST_F(OtherFacts, SayWhichInputIsAnother) {
  EXPECT_EQ(why(changed(text_, R"("value": "x", "real": "f32[4,16]{16,1}+0@cpu")",
                        R"("value": "x", "real": "f32[8,16]{16,1}+0@cpu")")),
            "input 'x' is f32[8,16]@cpu there and f32[4,16]@cpu in this run");
  EXPECT_EQ(why(changed(text_, R"({"node": "x", "target": "placeholder")", R"({"node": "z", "target": "placeholder")")),
            "input 'z' is there, the program has p_up_weight, p_up_bias, p_mid_weight, p_mid_bias, p_down_weight, "
            "p_down_bias, x");
}

TEST_F(OtherFacts, OfADynamicProgramBelongToOneSize) {
  const Program p = parse_program_text(
      "symbol s0 in [2, 64] hint 5\ngraph(%x: f32[s0]):\n  %y: f32[s0] = aten.relu.default(%x)\n  return %y\n", "t");
  const Facts facts = Facts::parse(
      R"({"nodes": [{"node": "x", "target": "placeholder", "outputs": [{"value": "x", "real": "f32[7]{1}+0@cpu"}]},
          {"node": "y", "target": "aten.relu.default", "outputs": [{"value": "y", "real": "f32[7]{1}+0@cpu"}]}]})",
      "f.json");
  SymbolValues symbols(p);
  EXPECT_EQ(mismatch(facts, p, symbols), "input 'x' is f32[7]@cpu there and f32[5]@cpu in this run");
  symbols.bind("s0", 7);
  EXPECT_EQ(mismatch(facts, p, symbols), "");
}

TEST(OtherValues, SayWhichNameIsNotTheProgram_s) {
  const Program mlp = load_program(committed_program("mlp"));
  const std::string text = read_file(beside("mlp", "inputs_outputs.json"));
  const std::string bytes = read_file(beside("mlp", "values.bin"));
  auto why = [&](const std::string& json) { return mismatch(InputsOutputs::parse(json, bytes, "io.json"), mlp); };
  EXPECT_EQ(why(text), "");
  EXPECT_EQ(why(changed(text, R"("name": "x")", R"("name": "image")")), "input 'image' is there, the program has x");
  EXPECT_EQ(why(changed(text, R"("name": "_log_softmax")", R"("name": "logits")")),
            "output 'logits' is there, the program has _log_softmax");
  EXPECT_EQ(why(R"({"inputs": []})"), "input 'x' of the program is not there");
}

}  // namespace
}  // namespace ersatz
