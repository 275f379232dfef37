#include "runtime/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace ersatz {
namespace {

TEST(ParallelFor, VisitsEachIndexOnce) {
  std::vector<std::atomic<int>> visits(10007);
  parallel_for(10007, 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) ++visits[static_cast<size_t>(i)];
  });
  for (const auto& v : visits) ASSERT_EQ(v.load(), 1);
}

TEST(ParallelFor, BelowGrainOneCallRunsOnThisThread) {
  int calls = 0;
  parallel_for(100, 100, [&](int64_t begin, int64_t end) {
    ++calls;
    EXPECT_EQ(begin, 0);
    EXPECT_EQ(end, 100);
  });
  EXPECT_EQ(calls, 1);
}

TEST(ParallelFor, NothingToDoCallsNothing) {
  parallel_for(0, 1, [](int64_t, int64_t) { FAIL() << "called for no work"; });
}

TEST(ParallelFor, ExceptionsReachTheCaller) {
  auto failing = [](int64_t, int64_t) { throw std::runtime_error("no"); };
  EXPECT_THROW(parallel_for(1000, 1, failing), std::runtime_error);
}

}  // namespace
}  // namespace ersatz
