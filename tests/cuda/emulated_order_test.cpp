// The order in which the emulated device runs the parts of a launch, its host threads, and the reports of the thread
// sanitizer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <set>
#include <thread>

#include "runtime/cuda/launch.h"
#include "tests/cuda/device_array.h"
#include "tests/emulated_cuda/permutation.h"
#include "tests/emulated_cuda/settings.h"

#if defined(__SANITIZE_THREAD__)
#define ERSATZ_NEEDS_THREAD_SANITIZER() (void)0
#else
#define ERSATZ_NEEDS_THREAD_SANITIZER() GTEST_SKIP() << "no thread sanitizer"
#endif

namespace ersatz {
namespace {

using namespace cuda_module;
using emulated::Permutation;

/// A scope in which the emulated device has other settings.
class WithSettings {
 public:
  WithSettings(std::optional<uint64_t> order, int threads) : before_(emulated::settings()) {
    emulated::settings().order = order;
    emulated::settings().threads = threads;
  }
  ~WithSettings() { emulated::settings() = before_; }

 private:
  emulated::Settings before_;
};

std::vector<int64_t> in_order(int64_t n, std::optional<uint64_t> seed) {
  const Permutation order(n, seed);
  std::vector<int64_t> all(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) all[static_cast<size_t>(i)] = order(i);
  return all;
}
std::vector<int64_t> ascending(int64_t n) { return in_order(n, std::nullopt); }

TEST(EmulatedOrder, OfASeedHasEachIndexOnce) {
  for (int64_t n : {1, 2, 3, 4, 5, 16, 17, 31, 1000, 1024, 65537}) {
    for (uint64_t seed : {0, 1, 77}) {
      std::vector<int64_t> drawn = in_order(n, seed);
      std::sort(drawn.begin(), drawn.end());
      ASSERT_EQ(drawn, ascending(n)) << n << " by " << seed;
    }
  }
}

TEST(EmulatedOrder, IsSameForSeedAndAnotherForAnother) {
  EXPECT_EQ(in_order(100, 1), in_order(100, 1));
  EXPECT_NE(in_order(100, 1), in_order(100, 2));
  EXPECT_NE(in_order(100, 1), ascending(100));
  EXPECT_THAT(ascending(4), testing::ElementsAre(0, 1, 2, 3));
}

/// Returns the next free index of the notes. The increment is atomic, so no order of the parts is a race.
int64_t next(int64_t* count) { return std::atomic_ref<int64_t>(*count).fetch_add(1, std::memory_order_relaxed); }

/// Each part appends its number.
struct Note {
  int64_t *notes, *count;
  ERSATZ_DEVICE void operator()(int64_t i) const { notes[next(count)] = i; }
  ERSATZ_DEVICE void operator()(const Block& block) const {
    if (block.thread() == 0) notes[next(count)] = block.index();
  }
};
std::vector<int64_t> noted(bool blocks, std::optional<uint64_t> seed) {
  const WithSettings settings(seed, 1);
  const DeviceArray<int64_t> notes(40), count(1);
  if (blocks) {
    launch_blocks(0, 40, 32, 0, Note{notes.data(), count.data()});
  } else {
    launch_each(0, 40, Note{notes.data(), count.data()});
  }
  return notes.values();
}

TEST(EmulatedOrder, IsThatOfTheIndicesWithoutASeed) {
  EXPECT_EQ(noted(false, std::nullopt), ascending(40));
  EXPECT_EQ(noted(true, std::nullopt), ascending(40));
}

TEST(EmulatedOrder, BlocksAndThreadsAreDrawnFromTheSeed) {
  EXPECT_EQ(noted(false, 5), in_order(40, 5));
  EXPECT_EQ(noted(true, 5), in_order(40, 5));
}

struct NoteThreads {
  int64_t *notes, *count;
  ERSATZ_DEVICE void operator()(const Block& block) const { notes[next(count)] = block.thread(); }
};

TEST(EmulatedOrder, ThreadsOfABlockAreDrawnToo) {
  const WithSettings settings(5, 1);
  const DeviceArray<int64_t> notes(64), count(1);
  launch_blocks(0, 1, 64, 0, NoteThreads{notes.data(), count.data()});
  std::vector<int64_t> seen = notes.values();
  EXPECT_NE(seen, ascending(64));
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, ascending(64));
}

/// Each part stores the host thread that ran it.
struct NoteHost {
  uint64_t* hosts;
  void operator()(int64_t i) const { hosts[i] = std::hash<std::thread::id>()(std::this_thread::get_id()); }
  void operator()(const Block& block) const {
    if (block.thread() == 0) (*this)(block.index());
  }
};

TEST(EmulatedThreads, TakeTheirTurnsAtBlocksAndAtIndices) {
  const WithSettings settings(std::nullopt, 3);
  const DeviceArray<uint64_t> each(9), blocks(9);
  launch_each(0, 9, NoteHost{each.data()});
  launch_blocks(0, 9, 32, 0, NoteHost{blocks.data()});
  for (const std::vector<uint64_t>& hosts : {each.values(), blocks.values()}) {
    EXPECT_EQ(std::set<uint64_t>(hosts.begin(), hosts.end()).size(), 3u);
    for (size_t i = 3; i < hosts.size(); ++i) EXPECT_EQ(hosts[i], hosts[i - 3]);
  }
}

struct Throw {
  void operator()(int64_t i) const {
    if (i == 7) throw std::out_of_range("seven");
  }
  void operator()(const Block& block) const {
    block.sync();
    (*this)(block.index());
  }
};

TEST(EmulatedThreads, ErrorOfThreadIsRaisedByLaunch) {
  const WithSettings settings(std::nullopt, 3);
  EXPECT_THROW(launch_each(0, 9, Throw()), std::out_of_range);
  EXPECT_THROW(launch_blocks(0, 9, 32, 0, Throw()), std::out_of_range);
  const DeviceArray<uint64_t> after(9);
  launch_blocks(0, 9, 32, 0, NoteHost{after.data()});
  EXPECT_EQ(std::set<uint64_t>(), [&] {
    std::set<uint64_t> none;
    for (uint64_t host : after.values()) {
      if (host == 0) none.insert(host);
    }
    return none;
  }());
}

// Each test below plants a race, or has no race. Two host threads run the launches, whatever the settings.

/// Expects a report of the thread sanitizer: the process then ends with status 66.
#define EXPECT_RACE(statement)                        \
  ERSATZ_NEEDS_THREAD_SANITIZER();                    \
  GTEST_FLAG_SET(death_test_style, "threadsafe");     \
  EXPECT_EXIT(                                        \
      {                                               \
        const WithSettings settings(std::nullopt, 2); \
        statement;                                    \
        std::exit(0);                                 \
      },                                              \
      testing::ExitedWithCode(66), "data race")

/// Block b writes into its own range and into the neighbour's.
struct WriteBeyond {
  int* to;
  ERSATZ_DEVICE void operator()(const Block& block) const {
    to[block.index() * block.threads() + block.thread() + 1] = block.thread();
  }
};

TEST(EmulatedRace, BetweenBlocksIsSeen) {
  EXPECT_RACE({
    const DeviceArray<int> to(2 * 32 + 1);
    struct Twice {
      WriteBeyond body;
      ERSATZ_DEVICE void operator()(const Block& block) const {
        body(block);
        body.to[block.index() * block.threads() + block.thread()] = 0;
      }
    };
    launch_blocks(0, 2, 32, 0, Twice{{to.data()}});
  });
}

struct AddPlainly {
  int* sum;
  ERSATZ_DEVICE void operator()(int64_t) const { ++*sum; }
};

TEST(EmulatedRace, BetweenTheThreadsOfALoopIsSeen) {
  EXPECT_RACE({
    const DeviceArray<int> sum(1);
    launch_each(0, 8, AddPlainly{sum.data()});
  });
}

struct Turn {
  int* to;
  bool waits;
  ERSATZ_DEVICE void operator()(const Block& block) const {
    int* shared = block.shared<int>();
    const int t = block.thread();
    shared[t] = t;
    if (waits) block.sync();
    to[block.index() * block.threads() + t] = shared[block.threads() - 1 - t];
  }
};

TEST(EmulatedRace, DependenceOnOrderInBlockIsSeen) {
  EXPECT_RACE({
    const DeviceArray<int> to(64);
    launch_blocks(0, 1, 64, 64 * sizeof(int), Turn{to.data(), false});
  });
}

/// Lanes exchange values but do not wait for each other, so their uses of shared memory race.
struct TurnBehindAnExchange {
  int* to;
  ERSATZ_DEVICE void operator()(const Block& block) const {
    int* shared = block.shared<int>();
    const int t = block.thread();
    shared[t] = t;
    to[t] = block.from_lane(t, 1);
    to[t] += shared[31 - t];
  }
};

TEST(EmulatedRace, OfSharedMemoryBehindAnExchangeIsSeen) {
  EXPECT_RACE({
    const DeviceArray<int> to(32);
    launch_blocks(0, 1, 32, 32 * sizeof(int), TurnBehindAnExchange{to.data()});
  });
}

TEST(EmulatedRace, ThreadsThatWaitAndLaunchesHaveNone) {
  const WithSettings settings(std::nullopt, 2);
  const DeviceArray<int> to(4 * 64);
  for (int i = 0; i < 3; ++i) launch_blocks(0, 4, 64, 64 * sizeof(int), Turn{to.data(), true});
  launch_each(0, 4 * 64, [&] {
    struct AddOneEach {
      int* at;
      ERSATZ_DEVICE void operator()(int64_t j) const { ++at[j]; }
    };
    return AddOneEach{to.data()};
  }());
  for (int t = 0; t < 64; ++t) EXPECT_EQ(to.values()[static_cast<size_t>(t)], 64 - t);
}

}  // namespace
}  // namespace ersatz
