#include "runtime/base/ref_count.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace ersatz {
namespace {

struct Counted : RefCounted {
  explicit Counted(std::atomic<int>& alive) : alive(alive) { ++alive; }
  ~Counted() override { --alive; }
  std::atomic<int>& alive;
};

TEST(Ref, TheLastHandleDestroysTheObject) {
  std::atomic<int> alive = 0;
  {
    Ref<Counted> a = make_ref<Counted>(alive), b = a;
    EXPECT_EQ(a->use_count(), 2u);
    a = nullptr;
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

TEST(WeakRef, DoesNotKeepTheObjectAlive) {
  std::atomic<int> alive = 0;
  Ref<Counted> strong = make_ref<Counted>(alive);
  WeakRef<Counted> weak(strong), copy = weak;
  EXPECT_EQ(weak.lock().get(), strong.get());
  strong = nullptr;
  EXPECT_EQ(alive, 0);
  EXPECT_TRUE(weak.expired());
  EXPECT_TRUE(copy.expired());
}

TEST(WeakRef, ALockedHandleOutlivesTheStrongOne) {
  std::atomic<int> alive = 0;
  Ref<Counted> strong = make_ref<Counted>(alive);
  WeakRef<Counted> weak(strong);
  Ref<Counted> locked = weak.lock();
  strong = nullptr;
  EXPECT_EQ(alive, 1);
  locked = nullptr;
  EXPECT_EQ(alive, 0);
  EXPECT_FALSE(weak.lock());
}

TEST(WeakRef, OfNothingIsExpired) {
  EXPECT_TRUE(WeakRef<Counted>().expired());
  EXPECT_TRUE(WeakRef<Counted>(Ref<Counted>()).expired());
}

TEST(WeakRef, LockWorksWhileAnotherThreadReleases) {
  for (int round = 0; round < 500; ++round) {
    std::atomic<int> alive = 0;
    Ref<Counted> strong = make_ref<Counted>(alive);
    std::vector<std::thread> threads;
    std::atomic<bool> go = false;
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([&go, weak = WeakRef<Counted>(strong)] {
        while (!go) {
        }
        for (int n = 0; n < 20; ++n) {
          Ref<Counted> held = weak.lock();
          EXPECT_TRUE(!held || held->alive == 1);
        }
      });
    go = true;
    strong = nullptr;
    for (std::thread& t : threads) t.join();
    ASSERT_EQ(alive, 0) << "round " << round;
  }
}

TEST(WeakRef, FirstTakenByManyThreadsIsOneCell) {
  std::atomic<int> alive = 0;
  Ref<Counted> strong = make_ref<Counted>(alive);
  std::vector<std::thread> threads;
  std::vector<WeakRef<Counted>> weak(4);
  for (WeakRef<Counted>& w : weak) threads.emplace_back([&w, strong] { w = WeakRef<Counted>(strong); });
  for (std::thread& t : threads) t.join();
  threads.clear();
  EXPECT_EQ(strong->use_count(), 1u);
  strong = nullptr;
  EXPECT_EQ(alive, 0);
  for (WeakRef<Counted>& w : weak) EXPECT_TRUE(w.expired());
}

}  // namespace
}  // namespace ersatz
