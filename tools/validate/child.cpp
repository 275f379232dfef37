#include "tools/validate/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <new>

#include "runtime/base/error.h"

namespace ersatz::tools {

namespace {

constexpr off_t kLastWords = 400;

[[noreturn]] void fail_system(const char* what) {
  fail_argument("a child process: {}: {}", what, std::strerror(errno));
}

/// A number in memory that the parent and its child process share.
class SharedNumber {
 public:
  SharedNumber() {
    void* room = ::mmap(nullptr, sizeof(Progress64), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) fail_system("shared memory");
    number_ = new (room) Progress64(-1);
  }
  ~SharedNumber() { ::munmap(number_, sizeof(Progress64)); }
  SharedNumber(const SharedNumber&) = delete;
  SharedNumber& operator=(const SharedNumber&) = delete;
  Progress64& operator*() { return *number_; }

 private:
  Progress64* number_;
};

class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  operator int() const { return fd_; }

 private:
  int fd_;
};

void write_whole(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

/// Runs the work in the child process and exits. The first byte of the output says whether the work finished. If there
/// is no output, the child died.
[[noreturn]] void be_the_child(const std::function<std::string(Progress64&)>& work, Progress64& at, int out,
                               int words) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(words, STDERR_FILENO);
  std::string answer;
  try {
    answer = "+" + work(at);
  } catch (const std::exception& e) {
    answer = std::string("-") + e.what();
  }
  write_whole(out, answer);
  ::_exit(0);  // without destructors, because the objects belong to the parent
}

std::string end_of(int file) {
  const off_t size = ::lseek(file, 0, SEEK_END);
  if (size <= 0) return {};
  std::string text(static_cast<size_t>(std::min(size, kLastWords)), '\0');
  const ssize_t n = ::pread(file, text.data(), text.size(), std::max<off_t>(0, size - kLastWords));
  text.resize(n < 0 ? 0 : static_cast<size_t>(n));
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

std::string ChildResult::how() const {
  if (finished) return {};
  if (timed_out) return fmt::format("no end within {:g} s", limit_s);
  if (signal) {
    const char* name = ::sigabbrev_np(signal);
    return fmt::format("died of SIG{}", name ? name : std::to_string(signal));
  }
  if (!error.empty()) return error;
  return fmt::format("exited with status {}", exit_status);
}

ChildResult run_in_child(const std::function<std::string(Progress64& at)>& work, double limit_s) {
  using Clock = std::chrono::steady_clock;
  SharedNumber at;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail_system("a pipe");
  File in(ends[0]), out(ends[1]), words(::memfd_create("stderr", MFD_CLOEXEC));
  const pid_t child = ::fork();
  if (child < 0) fail_system("it cannot be started");
  if (child == 0) be_the_child(work, *at, out, words);
  out.close();

  ChildResult result;
  result.limit_s = limit_s;
  std::string answer;
  int64_t seen = -1;
  Clock::time_point since = Clock::now();
  char buffer[65536];
  for (;;) {
    pollfd wait{in, POLLIN, 0};
    const int ready = ::poll(&wait, 1, 100);
    if (ready > 0) {
      const ssize_t n = ::read(in, buffer, sizeof buffer);
      if (n == 0) break;
      if (n > 0) answer.append(buffer, static_cast<size_t>(n));
      continue;
    }
    const int64_t now = *at;
    if (now != seen) {
      seen = now;
      since = Clock::now();
    } else if (std::chrono::duration<double>(Clock::now() - since).count() > limit_s) {
      result.timed_out = true;
      ::kill(child, SIGKILL);
      break;
    }
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.at = *at;
  result.last_words = end_of(words);
  if (result.timed_out) return result;
  if (answer.starts_with('+')) {
    result.finished = true;
    result.output = answer.substr(1);
  } else if (answer.starts_with('-')) {
    result.error = answer.substr(1);
  } else if (WIFSIGNALED(status)) {
    result.signal = WTERMSIG(status);
  } else {
    result.exit_status = WEXITSTATUS(status);
  }
  return result;
}

int thread_count() {
  int n = 0;
  std::error_code ignored;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task", ignored)) ++n;
  return n;
}

}  // namespace ersatz::tools
