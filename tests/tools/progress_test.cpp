// The progress line: only on a terminal, and cleared at the end.
#include "tools/output/progress.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <functional>
#include <thread>

namespace ersatz::tools {
namespace {

/// Runs `run` with `fd` as stderr.
void with_stderr(int fd, const std::function<void()>& run) {
  const int kept = ::dup(STDERR_FILENO);
  ::dup2(fd, STDERR_FILENO);
  run();
  ::dup2(kept, STDERR_FILENO);
  ::close(kept);
}

/// Reads everything that was written. REQUIRES: no open writer.
std::string read_all(int fd) {
  std::string all;
  char bytes[256];
  for (ssize_t n; (n = ::read(fd, bytes, sizeof bytes)) > 0;) all.append(bytes, static_cast<size_t>(n));
  return all;
}

void three_of_ten() {
  Progress progress("fake", 10);
  progress.at(1, "aten.mm");  // too soon to show
  std::this_thread::sleep_for(std::chrono::milliseconds(110));
  progress.at(3, "aten.add");
  progress.at(4, "aten.relu");
}

TEST(Progress, IsShownTenTimesASecondAndWiped) {
  int terminal = -1, other_end = -1;
  if (::openpty(&terminal, &other_end, nullptr, nullptr, nullptr) != 0) GTEST_SKIP() << "no terminal can be made here";
  with_stderr(other_end, three_of_ten);
  ::close(other_end);
  EXPECT_EQ(read_all(terminal), "\r\033[Kfake: 3 of 10 aten.add\r\033[K");
  ::close(terminal);
}

TEST(Progress, IsSilentInAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  with_stderr(ends[1], three_of_ten);
  ::close(ends[1]);
  EXPECT_EQ(read_all(ends[0]), "");
  ::close(ends[0]);
}

TEST(Working, ShowsThatItGoesOnAfterASecond) {
  int terminal = -1, other_end = -1;
  if (::openpty(&terminal, &other_end, nullptr, nullptr, nullptr) != 0) GTEST_SKIP() << "no terminal can be made here";
  silence_progress(false);
  with_stderr(other_end, [] {
    { const Working quick("loading a.pt2"); }
    const Working slow("loading b.pt2");
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  });
  ::close(other_end);
  EXPECT_EQ(read_all(terminal), "\r\033[Kloading b.pt2 ... 1 s\r\033[K");
  ::close(terminal);
}

TEST(Progress, IsSilentWhereItIsNotWanted) {
  int terminal = -1, other_end = -1;
  if (::openpty(&terminal, &other_end, nullptr, nullptr, nullptr) != 0) GTEST_SKIP() << "no terminal can be made here";
  silence_progress(true);
  with_stderr(other_end, three_of_ten);
  silence_progress(false);
  ::close(other_end);
  EXPECT_EQ(read_all(terminal), "");
  ::close(terminal);
}

}  // namespace
}  // namespace ersatz::tools
