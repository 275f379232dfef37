// Facts and values of another program: refused where the user named them, left alone where they only lie beside.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

std::string beside(const std::string& program, const std::string& file) {
  return std::string(ERSATZ_SOURCE_DIR) + "/tests/programs/" + program + "/" + file;
}

TEST(OtherFactsCommand, NamedOnesEndWithTheNodeThatDiffers) {
  const CommandResult r =
      run_command({"crosscheck", committed_program("mlp"), "--facts", beside("lenet_bn", "facts.json")});
  EXPECT_EQ(r.status, 2) << r.out;
  EXPECT_NE(r.err.find("lenet_bn/facts.json: these facts are not of "), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("mlp.pt2: input '"), std::string::npos) << r.err;
}

TEST(OtherFactsCommand, NamedValuesOfAnotherProgramEndToo) {
  for (const char* option : {"--inputs", "--expect"}) {
    const CommandResult r =
        run_command({"crosscheck", committed_program("resnet_tiny"), option, beside("mlp", "inputs_outputs.json")});
    EXPECT_EQ(r.status, 2) << r.out;
    EXPECT_NE(r.err.find("these values are not of "), std::string::npos) << r.err;
  }
}

TEST(OtherFactsCommand, OnesThatLieBesideAreLeftAloneAndSaidSo) {
  const std::string program = scratch_file("beside/mlp.pt2", read_bytes(committed_program("mlp")));
  scratch_file("beside/facts.json", read_bytes(beside("lenet_bn", "facts.json")));
  const CommandResult r = run_command({"crosscheck", program});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_NE(r.out.find("not used, since these facts are of another run: "), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("judged by eager 0, kernel 0, record 10,"), std::string::npos) << r.out;
}

}  // namespace
}  // namespace ersatz::tools
