// Fake CUDA tensors need no CUDA: what the process has mapped shows it.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "fake/fake_mode.h"
#include "runtime/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

bool is_mapped(const std::string& name) {
  std::stringstream maps;
  maps << std::ifstream("/proc/self/maps").rdbuf();
  return maps.str().find(name) != std::string::npos;
}

/// In a process of its own: another test may have asked for a real CUDA tensor.
void run_fake_on_cuda() {
  FakeMode mode;
  Tensor x = mode.make(parse_meta("f32[4,4]{4,1}+0@cuda:1"));
  Tensor y = call_test_op("twice", {x});
  const bool loaded = is_mapped("libersatz_cuda") || is_mapped("libcuda");
  std::fprintf(stderr, "%s, %s\n", to_string(y.meta()).c_str(), loaded ? "CUDA is loaded" : "no CUDA is loaded");
  std::exit(0);
}

TEST(FakeMode, AFakeCudaTensorLoadsNeitherModuleNorDriver) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_fake_on_cuda(), testing::ExitedWithCode(0), R"(f32\[4,4\]\{4,1\}\+0@cuda:1, no CUDA is loaded)");
}

}  // namespace
}  // namespace ersatz
