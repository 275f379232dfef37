// Collectives in a group of one process, where each result is a copy of its input.
#include <gtest/gtest.h>

#include "runtime/base/context.h"
#include "runtime/base/process_group.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

TEST(Collectives, OfOneProcessCopyOnDevice) {
  const ContextGuard alone([](RuleContext& c) { c.groups = ProcessGroups::of({{"0", 1, 0, ""}}); });
  constexpr std::pair<const char*, const char*> kCalls[] = {
      {"_c10d_functional.all_reduce.default", "*[2,3]{1,2}, \"sum\", \"0\""},
      {"_c10d_functional.all_reduce_.default", "*[2,3]{1,2}, \"sum\", \"0\""},
      {"_c10d_functional.all_reduce_coalesced.default", "[*[2,3]{1,2}, i64[4]], \"sum\", \"0\""},
      {"_c10d_functional.all_reduce_coalesced_.default", "[*[2,3]{1,2}, i64[4]], \"sum\", \"0\""},
      {"_c10d_functional.all_to_all_single.default", "*[2,3]{1,2}, [2], [2], \"0\""},
      {"_c10d_functional_autograd.all_to_all_single.default", "*[2,3]{1,2}, [2], [2], \"0\""},
      {"_c10d_functional.broadcast.default", "*[2,3]{1,2}, 0, \"0\""},
      {"_c10d_functional.broadcast_.default", "*[2,3]{1,2}, 0, \"0\""},
      {"_dtensor.shard_dim_alltoall.default", "*[2,3]{1,2}, 0, 1, \"0\""}};
  for (const auto& [op, arguments] : kCalls) expect_agree_for(kFloats | kBool | DTypeSet{DType::I64}, op, arguments);
}

}  // namespace
}  // namespace ersatz
