#include <gtest/gtest.h>

#include "runtime/plugin/plugin.h"
#include "tests/fake/cache_calls.h"

namespace ersatz {
namespace {

// BEY-25: answers of a plugin's op are cached if it declares that, also with the default policy
TEST(CachePlugin, AKernelWhoseAnswersLastRunsOnce) {
  load_plugin(ERSATZ_BINARY_DIR "/lib/lasting_ops.so");
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[2,3]"));
  for (int hit = 0; hit < 3; ++hit) {
    EXPECT_EQ(spelled(call_one("lasting.doubled.default", {x})), "f32[2,3]{1,2}+0@cpu");
    EXPECT_EQ(mode.fallbacks().size(), 1u);
  }
  EXPECT_EQ(counts(mode), Counts(2, 1));
  for (int run = 0; run < 2; ++run) call_one("lasting.passing.default", {x});
  EXPECT_EQ(mode.fallbacks().size(), 3u);
  EXPECT_EQ(bypasses(mode, "non-builtin"), 2u);
}

}  // namespace
}  // namespace ersatz
