#include "tools/output/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace ersatz::tools {

namespace {
constexpr auto kPeriod = std::chrono::milliseconds(100);
constexpr const char* kWipe = "\r\033[K";
}  // namespace

Progress::Progress(std::string label, int64_t total)
    : label_(std::move(label)),
      total_(total),
      enabled_(::isatty(STDERR_FILENO) == 1),
      due_(std::chrono::steady_clock::now() + kPeriod) {}

Progress::~Progress() {
  if (shown_) std::fputs(kWipe, stderr);
}

void Progress::show(int64_t done, std::string_view what) {
  auto now = std::chrono::steady_clock::now();
  if (now < due_) return;
  due_ = now + kPeriod;
  shown_ = true;
  fmt::print(stderr, "{}{}: {} of {}{}{}", kWipe, label_, done, total_, what.empty() ? "" : " ", what);
  std::fflush(stderr);
}

}  // namespace ersatz::tools
