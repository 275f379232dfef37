#include "runtime/base/inline_vec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace ersatz {
namespace {

using testing::ElementsAre;
using Words = InlineVec<int64_t, 3>;      // trivial items: copied with the whole buffer
using Texts = InlineVec<std::string, 2>;  // other items: copied and moved one by one

TEST(InlineVec, ACopyHasElementsOfItsOwn) {
  Words few{1, 2}, many{1, 2, 3, 4};
  Words few_again = few, many_again = many;
  few[0] = many[0] = 9;
  EXPECT_THAT(few_again, ElementsAre(1, 2));
  EXPECT_THAT(many_again, ElementsAre(1, 2, 3, 4));
}

TEST(InlineVec, FewElementsAreCopiedFromHeapToo) {
  Words shrunk{1, 2, 3, 4};
  shrunk.resize(2);
  EXPECT_THAT(Words(shrunk), ElementsAre(1, 2));
  Words assigned{7};
  assigned = shrunk;
  EXPECT_THAT(assigned, ElementsAre(1, 2));
}

TEST(InlineVec, AssigningReplacesWhatWasThere) {
  Words words{1, 2, 3, 4};
  words = Words{5};
  EXPECT_THAT(words, ElementsAre(5));
  Texts texts{"a", "b", "c"};
  const Texts other{"d"};
  texts = other;
  EXPECT_THAT(texts, ElementsAre("d"));
}

TEST(InlineVec, WhatIsMovedFromIsEmpty) {
  Words few{1, 2}, many{1, 2, 3, 4};
  Texts texts{"a", "b"};
  const Words moved_few = std::move(few), moved_many = std::move(many);
  const Texts moved_texts = std::move(texts);
  EXPECT_THAT(moved_few, ElementsAre(1, 2));
  EXPECT_THAT(moved_many, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(moved_texts, ElementsAre("a", "b"));
  EXPECT_TRUE(few.empty() && many.empty() && texts.empty());
}

TEST(InlineVec, AnElementThatIsTakenOffIsDestroyed) {
  const auto watched = std::make_shared<int>(1);
  InlineVec<std::shared_ptr<int>, 2> v{watched, watched, watched};
  EXPECT_EQ(watched.use_count(), 4);
  v.pop_back();
  EXPECT_EQ(watched.use_count(), 3);
  EXPECT_EQ(v.size(), 2u);
  v.erase(0);
  EXPECT_EQ(watched.use_count(), 2);
  v.clear();
  EXPECT_EQ(watched.use_count(), 1);
}

TEST(InlineVec, ElementsGoInAndOutInTheMiddle) {
  Texts v{"a", "c"};
  v.insert(1, "b");
  EXPECT_THAT(v, ElementsAre("a", "b", "c"));
  v.erase(0);
  EXPECT_THAT(v, ElementsAre("b", "c"));
  v.resize(4, "d");
  EXPECT_THAT(v, ElementsAre("b", "c", "d", "d"));
}

TEST(InlineVec, EqualsWhatHasTheSameElements) {
  EXPECT_EQ((Words{1, 2}), (Words{1, 2}));
  EXPECT_NE((Words{1, 2}), (Words{1, 3}));
  EXPECT_NE((Words{1, 2}), (Words{1, 2, 3}));
}

}  // namespace
}  // namespace ersatz
