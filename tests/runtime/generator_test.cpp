// Philox, compared with published known answers, and the generator's state.
#include "runtime/tensor/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace ersatz {
namespace {

using testing::ElementsAre;

TEST(Philox, AnswersTheKnownVectorOfZeros) {
  // The expected words are Random123's kat_vectors for philox4x32 with 10 rounds, counter 0 and key 0.
  EXPECT_THAT(philox_4x32_10(0, 0), ElementsAre(0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u));
}

// The other two published vectors have non-zero words in the counter's upper half.
TEST(Philox, AnswersTheKnownVectorsOfFullCounters) {
  EXPECT_THAT(philox_4x32_10(0xffffffffffffffffu, 0xffffffffffffffffu, 0xffffffffffffffffu),
              ElementsAre(0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu));
  EXPECT_THAT(philox_4x32_10(0x299f31d0a4093822u, 0x85a308d3243f6a88u, 0x0370734413198a2eu),
              ElementsAre(0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u));
}

TEST(Generator, ReservesConsecutiveBlocks) {
  Generator g(7);
  EXPECT_EQ(g.reserve(3), (GeneratorState{7, 0}));
  EXPECT_EQ(g.reserve(2), (GeneratorState{7, 3}));
  EXPECT_EQ(g.state(), (GeneratorState{7, 5}));
}

TEST(Generator, RestoresAState) {
  Generator g(1);
  g.reserve(10);
  GeneratorState saved = g.state();
  g.reserve(4);
  g.set_state(saved);
  EXPECT_EQ(g.reserve(1), (GeneratorState{1, 10}));
}

TEST(Generator, SeedingStartsOver) {
  Generator g(1);
  g.reserve(10);
  g.manual_seed(2);
  EXPECT_EQ(g.state(), (GeneratorState{2, 0}));
}

TEST(Generator, ThreadsNeverShareABlock) {
  Generator g(0);
  std::vector<std::thread> threads;
  std::vector<std::vector<uint64_t>> taken(4);
  for (auto& mine : taken) {
    threads.emplace_back([&g, &mine] {
      for (int i = 0; i < 1000; ++i) mine.push_back(g.reserve(1).offset);
    });
  }
  for (std::thread& t : threads) t.join();
  std::vector<uint64_t> all;
  for (auto& mine : taken) all.insert(all.end(), mine.begin(), mine.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
  EXPECT_EQ(all.back(), 3999u);
}

TEST(DefaultGenerator, IsOnePerDevice) {
  EXPECT_EQ(&default_generator(kCPU), &default_generator(kCPU));
  EXPECT_NE(&default_generator(kCPU), &default_generator(cuda(0)));
  EXPECT_NE(&default_generator(cuda(0)), &default_generator(cuda(1)));
}

TEST(ManualSeed, SeedsEveryDevice) {
  GeneratorState cpu = default_generator(kCPU).state(), gpu = default_generator(cuda(3)).state();
  manual_seed(99);
  EXPECT_EQ(default_generator(kCPU).state(), (GeneratorState{99, 0}));
  EXPECT_EQ(default_generator(cuda(3)).state(), (GeneratorState{99, 0}));
  default_generator(kCPU).set_state(cpu);
  default_generator(cuda(3)).set_state(gpu);
}

}  // namespace
}  // namespace ersatz
