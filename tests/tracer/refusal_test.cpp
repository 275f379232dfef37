// Invalid input: each case raises an error of one line with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/base/error.h"
#include "tests/tracer/program_paths.h"
#include "tests/tracer/small_json.h"
#include "tracer/pt2/inputs_outputs.h"
#include "tracer/pt2/program_file.h"
#include "tracer/records/facts.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(const std::string& bytes) {
  try {
    load_program_bytes(bytes, "p.json");
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument) << e.message;
    EXPECT_EQ(e.message.find('\n'), std::string::npos) << e.message;
    return e.message;
  }
  return "not refused";
}

TEST(Refusal, JsonThatIsNoProgramIsNamedSo) {
  EXPECT_THAT(refusal("{\"a\": 1}"), HasSubstr("p.json: is JSON, but no exported program: it has no 'graph_module'"));
}

TEST(Refusal, BrokenJsonNamesTheByte) { EXPECT_THAT(refusal("{\"a\": 1,,}"), HasSubstr("no readable JSON: byte 9")); }

TEST(Refusal, OtherSchemaMajorIsNamedBeforeReading) {
  SmallJson j;
  j.major = "7";
  j.node_input = R"({"as_something_old": 1})";
  EXPECT_THAT(refusal(j.text()), HasSubstr("major version 7 is not read here"));
}

TEST(Refusal, UnknownKindOfArgumentNamesItsJsonPath) {
  SmallJson j;
  j.node_input = R"({"as_foo": {"name": "x"}})";
  EXPECT_THAT(refusal(j.text()), HasSubstr("p.json: graph_module.graph.nodes[0].inputs[0].arg: unknown kind of "
                                           "argument 'as_foo'"));
}

TEST(Refusal, ANodeNamingAMissingValueIsNamed) {
  SmallJson j;
  j.node_input = R"({"as_tensor": {"name": "ghost"}})";
  EXPECT_THAT(refusal(j.text()), HasSubstr("graph.nodes[0]: no value before this is named %ghost"));
}

TEST(Refusal, TwoValuesOfOneNameAreRefused) {
  SmallJson j;
  j.result = "x";
  EXPECT_THAT(refusal(j.text()), HasSubstr("graph.nodes[0]: a second value is named %x"));
}

TEST(Refusal, AResultWithoutMetadataIsRefused) {
  SmallJson j;
  j.result = "z";
  EXPECT_THAT(refusal(j.text()), HasSubstr("tensor_values has no metadata of 'z'"));
}

TEST(Refusal, NegativeSizesAreRefused) {
  SmallJson j;
  j.size = R"({"as_int": -2})";
  EXPECT_THAT(refusal(j.text()), HasSubstr("tensor_values.y.sizes[0]: -2 is negative"));
}

TEST(Refusal, SizesNearTwoToThe63AreRefused) {
  SmallJson j;
  j.size = R"({"as_int": 9223372036854775807})";
  EXPECT_THAT(refusal(j.text()), HasSubstr("tensor_values.y: sizes and strides reach beyond 64 bits"));
  j.size = R"({"as_int": 18446744073709551615})";
  EXPECT_THAT(refusal(j.text()), HasSubstr("does not fit 64 bits"));
}

TEST(Refusal, NestingOf100000LevelsIsRefusedWithoutUsingStack) {
  SmallJson j;
  j.node_input = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_THAT(refusal(j.text()), HasSubstr("nested more than 200 deep"));
}

TEST(Refusal, TooManyArgumentsForKnownOperatorAreRefused) {
  SmallJson j;
  j.more_inputs = R"(, {"name": "", "arg": {"as_int": 1}, "kind": 1}, {"name": "", "arg": {"as_int": 1}, "kind": 1})";
  EXPECT_THAT(refusal(j.text()), AllOf(HasSubstr("p.json: node 0 (aten.relu.default): "), HasSubstr("too many")));
}

TEST(Refusal, AMemberThatStandsTwiceIsRefused) {
  EXPECT_THAT(refusal(R"({"graph_module": {"graph": 1, "graph": 2}})"), HasSubstr("stands there twice"));
}

TEST(Refusal, AnUnreadablePathIsNamed) {
  try {
    load_program("/nowhere/at/all.pt2");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "/nowhere/at/all.pt2: cannot be read: No such file or directory");
  }
}

TEST(Refusal, EveryTruncationIsRefusedOrReadsTheSame) {
  const std::string whole = read_file(committed_program("mlp"));
  for (size_t length = 0; length < whole.size(); length += 97) {
    EXPECT_NE(refusal(whole.substr(0, length)), "not refused") << length;
  }
}

TEST(Refusal, DamagedWeightIsNamedWhenItIsRead) {
  std::string bytes = read_file(committed_program("mlp"));
  const size_t name = bytes.find("weight_0");
  ASSERT_NE(name, std::string::npos);
  bytes[name + 300] ^= 0x40;  // inside of the stored bytes of weight_0
  const Program program = load_program_bytes(bytes, "p.pt2");
  try {
    program.weights.storage(0);
    FAIL() << "the checksum did not notice";
  } catch (const Error& e) {
    EXPECT_THAT(e.message, AllOf(HasSubstr("p.pt2: mlp/data/weights/weight_0: damaged"), HasSubstr("bytes")));
  }
}

TEST(Refusal, AWeightShorterThanItsMetadataIsRefused) {
  try {
    parse_program_text(
        "storage $0 8B made\nstorage $1 8B hex \"0000000000000000\"\n"
        "graph(%w: f32[3]{1}+0@cpu = parameter \"w\" $1): return %w",
        "t");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "t:3: w: f32[3]@cpu needs 12 bytes, its data has 8");
  }
}

TEST(Refusal, FactsThatAreNoneAreNamed) {
  EXPECT_THROW(Facts::parse("{\"nodes\": 3}", "f.json"), Error);
  EXPECT_THROW(Facts::parse(R"({"nodes": [{"node": "a", "outputs": [{"value": "a", "real": "f32[-1]"}]}]})", "f.json"),
               Error);
}

TEST(Refusal, StoredValuesOutsideTheirFileAreRefused) {
  const std::string row = R"({"inputs": [{"name": "x", "meta": "f32[4]{1}+0@cpu", "offset": 8, "bytes": 16}]})";
  try {
    InputsOutputs::parse(row, std::string(16, '\0'), "io.json");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "io.json: inputs[0]: bytes [8, +16) leave the values file of 16 bytes");
  }
}

TEST(Refusal, TextNamesTheLine) {
  try {
    parse_program_text("ersatz program 1\ngraph(%x: f32[2]):\n  %y = demo.f.default(%z)\n  return %y\n", "t.txt");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "t.txt:3: no value before this is named %z");
  }
}

}  // namespace
}  // namespace ersatz
