// Tags are declared in op_entry.h and in several other headers. No two tags may use one bit.
#include <gtest/gtest.h>

#include <set>

#include "runtime/op/argument_tag.h"
#include "runtime/op/autocast.h"
#include "runtime/op/clone_tag.h"
#include "runtime/op/cpu_kernel_tag.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/moves_tag.h"
#include "runtime/op/slice_tags.h"

namespace ersatz {
namespace {

TEST(Tags, OfEachHeaderHaveBitsOfTheirOwn) {
  constexpr Tag kAll[] = {kMayReturnArgument,   kCastTag,      kCloneTag,         kNoCpuKernel,   kSavedByDevice,
                          kSavedValuesByDevice, kTiesByDevice, kConvertsByDevice, kRoundsWeights, kItemTag,
                          kSelectTag,           kStackTag,     kZerosAlikeTag,    kEmptyAlikeTag, Tag::Collective,
                          kMovesEveryDType};
  const std::set<Tag> distinct(std::begin(kAll), std::end(kAll));
  EXPECT_EQ(distinct.size(), std::size(kAll));
  for (const Tag t : kAll) EXPECT_TRUE(t == Tag::Collective || t > Tag::Collective);
}

}  // namespace
}  // namespace ersatz
