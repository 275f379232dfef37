// The inputs of a run: given values that fit, and synthetic ones.
#include "tracer/run/run_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/base/error.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;

/// Returns a value for the input x with that metadata, whose elements in row-major order are these bytes.
InputsOutputs given(const std::string& meta, const std::string& bytes) {
  return InputsOutputs::parse(R"({"inputs": [{"name": "x", "meta": ")" + meta + R"(", "offset": 0, "bytes": )" +
                                  std::to_string(bytes.size()) + "}]}",
                              bytes, "io.json");
}

std::string refusal(const std::string& meta, size_t nbytes) {
  const Program p = parse_program_text("graph(%x: u8[2,3]): return %x", "t");
  const InputsOutputs values = given(meta, std::string(nbytes, '\1'));
  InputChoice choice;
  choice.given = &values;
  std::string real = "not refused", fake = "not refused";
  try {
    make_inputs(p, SymbolValues(p), choice);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
    real = e.message;
  }
  try {
    make_fake_inputs(p, FakeMode(), SymbolValues(p), choice);
  } catch (const Error& e) {
    fake = e.message;
  }
  EXPECT_EQ(fake, real);
  return real;
}

TEST(RunInputs, OfAnotherDTypeAreRefused) {
  EXPECT_EQ(refusal("i8[2,3]{3,1}+0@cpu", 6), "input %x: i8[2,3]@cpu is given, the program takes u8[2,3]@cpu");
}

TEST(RunInputs, OfOtherSizesAreRefused) {
  EXPECT_EQ(refusal("u8[3,2]{2,1}+0@cpu", 6), "input %x: u8[3,2]@cpu is given, the program takes u8[2,3]@cpu");
  EXPECT_EQ(refusal("u8[2,2]{2,1}+0@cpu", 4), "input %x: u8[2,2]@cpu is given, the program takes u8[2,3]@cpu");
}

TEST(RunInputs, OfAnotherRankAreRefused) {
  EXPECT_EQ(refusal("u8[2]{1}+0@cpu", 2), "input %x: u8[2]@cpu is given, the program takes u8[2,3]@cpu");
  EXPECT_EQ(refusal("u8[2,3,1]{3,1,1}+0@cpu", 6), "input %x: u8[2,3,1]@cpu is given, the program takes u8[2,3]@cpu");
}

TEST(RunInputs, MayHaveAnotherLayout) {
  const Program p = parse_program_text("graph(%x: u8[2,3]): return %x", "t");
  const InputsOutputs values = given("u8[2,3]{1,2}+0@cpu", "\1\2\3\4\5\6");
  InputChoice choice;
  choice.given = &values;
  const Tensor x = make_inputs(p, SymbolValues(p), choice)[0].tensor();
  EXPECT_EQ(to_string(x.meta()), "u8[2,3]{1,2}+0@cpu");
  EXPECT_THAT(std::vector<int>(x.data<uint8_t>(), x.data<uint8_t>() + 6), ElementsAre(1, 4, 2, 5, 3, 6));
}

}  // namespace
}  // namespace ersatz
