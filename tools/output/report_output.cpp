#include "tools/output/report_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "runtime/base/error.h"

namespace ersatz::tools {

namespace {

[[noreturn]] void fail_output(const std::string& what, const char* doing) {
  fail_argument("{}: {}: {}", what, doing, std::strerror(errno));
}

/// Writes all bytes. Returns false and sets errno on failure.
bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

std::filesystem::path folder_of(const std::string& path) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

bool is_special(const std::string& path) {
  std::error_code ignored;
  auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

/// A temporary file in the folder of `path`. The destructor deletes it unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path) : name_(path + ".XXXXXX") {
    fd_ = ::mkstemp(name_.data());
    if (fd_ < 0) fail_output(path, "the report cannot be written");
  }
  ~TemporaryFile() {
    if (fd_ >= 0) ::close(fd_);
    if (!renamed_) ::unlink(name_.c_str());
  }
  void fill_and_rename(std::string_view bytes, const std::string& path) {
    if (!write_all(fd_, bytes) || ::fsync(fd_) != 0) fail_output(path, "the report cannot be written");
    ::fchmod(fd_, 0644);
    int closed = ::close(fd_);
    fd_ = -1;
    if (closed != 0 || ::rename(name_.c_str(), path.c_str()) != 0) fail_output(path, "the report cannot be written");
    renamed_ = true;
  }

 private:
  std::string name_;
  int fd_ = -1;
  bool renamed_ = false;
};

}  // namespace

bool is_stdout(const std::string& path) { return path.empty() || path == "-"; }

void require_writable(const std::string& path) {
  if (is_stdout(path)) return;
  if (std::filesystem::is_directory(path)) fail_argument("{}: the report cannot be written: it is a folder", path);
  std::string folder = folder_of(path).string();
  if (::access(is_special(path) ? path.c_str() : folder.c_str(), W_OK) != 0)
    fail_output(path, "the report cannot be written");
}

void write_report(std::string_view report, const std::string& path) {
  const bool to_stdout = is_stdout(path);
  if (to_stdout || is_special(path)) {
    int fd = to_stdout ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY);
    bool written = fd >= 0 && write_all(fd, report);
    int reason = errno;
    if (!to_stdout && fd >= 0) ::close(fd);
    errno = reason;
    if (!written) fail_output(to_stdout ? "standard output" : path, "the report cannot be written");
    return;
  }
  TemporaryFile(path).fill_and_rename(report, path);
}

}  // namespace ersatz::tools
