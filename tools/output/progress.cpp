#include "tools/output/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "tools/output/terminal.h"

namespace ersatz::tools {

namespace {
constexpr auto kPeriod = std::chrono::milliseconds(100);
constexpr auto kSecond = std::chrono::seconds(1);
constexpr const char* kWipe = "\r\033[K";
bool g_silent = false;  // set before any work begins

bool shows_progress() { return !g_silent && ::isatty(STDERR_FILENO) == 1; }

/// Returns the line cut to the terminal's width. A longer line would wrap, and its second line would not be cleared.
std::string fitting(std::string line) {
  const size_t columns = columns_of(STDERR_FILENO);
  if (columns > 1 && line.size() >= columns) line.resize(columns - 1);
  return line;
}
}  // namespace

void silence_progress(bool silent) { g_silent = silent; }

Progress::Progress(std::string label, int64_t total)
    : label_(std::move(label)),
      total_(total),
      enabled_(shows_progress()),
      due_(std::chrono::steady_clock::now() + kPeriod) {}

Progress::~Progress() {
  if (shown_) std::fputs(kWipe, stderr);
}

void Progress::show(int64_t done, std::string_view what) {
  auto now = std::chrono::steady_clock::now();
  if (now < due_) return;
  due_ = now + kPeriod;
  shown_ = true;
  fmt::print(stderr, "{}{}", kWipe,
             fitting(fmt::format("{}: {} of {}{}{}", label_, done, total_, what.empty() ? "" : " ", what)));
  std::fflush(stderr);
}

struct Working::Clock {
  explicit Clock(std::string label) : label_(std::move(label)), thread_([this] { run(); }) {}
  ~Clock() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    int seconds = 0;
    while (!changed_.wait_for(lock, kSecond, [this] { return ended_; })) {
      fmt::print(stderr, "{}{}", kWipe, fitting(fmt::format("{} ... {} s", label_, ++seconds)));
      std::fflush(stderr);
    }
    if (seconds > 0) std::fputs(kWipe, stderr);
  }

  const std::string label_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;  // must be the last member, because the thread uses the others
};

Working::Working(std::string label) : clock_(shows_progress() ? std::make_unique<Clock>(std::move(label)) : nullptr) {}
Working::~Working() = default;

}  // namespace ersatz::tools
