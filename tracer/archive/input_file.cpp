#include "tracer/archive/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>

#include "runtime/base/error.h"

namespace ersatz {

namespace {

bool is_standard_input(const std::string& path) {
  return path == "-" || path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0";
}

/// Reads a stream to its end. It waits for input in `poll`, which a signal interrupts, because `read` may restart after
/// a signal. So Ctrl-C works even before the first byte arrives.
std::string read_to_end(int fd, const std::string& path) {
  std::string bytes;
  char block[1 << 16];
  for (;;) {
    pollfd wait{fd, POLLIN, 0};
    if (::poll(&wait, 1, -1) < 0) {
      fail_argument("{}: cannot be read: {}", path,
                    errno == EINTR ? "interrupted before its end" : std::strerror(errno));
    }
    const ssize_t got = ::read(fd, block, sizeof block);
    if (got < 0) fail_argument("{}: cannot be read: {}", path, std::strerror(errno));
    if (got == 0) return bytes;
    bytes.append(block, static_cast<size_t>(got));
    if (bytes.size() > kMaxFileBytes) fail_argument("{}: is larger than 8 GiB", path);
  }
}

/// Returns the bytes of the stream `path`. The first call reads the stream. References to the returned strings stay
/// valid.
const std::string& kept_bytes(const std::string& path) {
  static std::mutex mutex;
  // Never freed, because open files may be used after static objects are destroyed.
  static auto* kept = new std::map<std::string, std::string>;
  const bool standard = is_standard_input(path);
  const std::lock_guard lock(mutex);
  const auto found = kept->find(standard ? "-" : path);
  if (found != kept->end()) return found->second;
  const int fd = standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail_argument("{}: cannot be read: {}", path, std::strerror(errno));
  const struct Closed {
    int fd;
    ~Closed() {
      if (fd > STDIN_FILENO) ::close(fd);
    }
  } closed{fd};
  return kept->emplace(standard ? "-" : path, read_to_end(fd, path)).first->second;
}

}  // namespace

std::string read_head(const std::string& path, size_t most) {
  std::string bytes(most, '\0');
  const InputFile in = is_stream(path) ? open_input(path) : InputFile(std::fopen(path.c_str(), "rb"));
  bytes.resize(in ? std::fread(bytes.data(), 1, bytes.size(), in.get()) : 0);
  return bytes;
}

std::string read_part(const std::string& path, uint64_t begin, uint64_t most) {
  const InputFile in = open_input(path);
  if (::fseeko(in.get(), static_cast<off_t>(begin), SEEK_SET) != 0)
    fail_argument("{}: cannot be read: {}", path, std::strerror(errno));
  const uint64_t size = input_size(path).value_or(0);
  std::string bytes(std::min(most, size > begin ? size - begin : 0), '\0');
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), in.get()));
  return bytes;
}

bool is_stream(const std::string& path) {
  if (is_standard_input(path)) return true;
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode));
}

InputFile open_input(const std::string& path) {
  std::error_code failed;
  if (is_stream(path)) {
    const std::string& bytes = kept_bytes(path);
    // The const_cast is safe: with "rb" fmemopen only reads through the pointer.
    InputFile file(bytes.empty() ? std::fopen("/dev/null", "rb")
                                 : ::fmemopen(const_cast<char*>(bytes.data()), bytes.size(), "rb"));
    if (!file) fail_argument("{}: cannot be read: {}", path, std::strerror(errno));
    return file;
  }
  if (std::filesystem::is_directory(path, failed)) fail_argument("{}: is a folder", path);
  InputFile file(std::fopen(path.c_str(), "rb"));
  if (!file) fail_argument("{}: cannot be read: {}", path, std::strerror(errno));
  return file;
}

std::optional<uint64_t> input_size(const std::string& path) {
  if (is_stream(path)) return kept_bytes(path).size();
  std::error_code failed;
  const uint64_t size = std::filesystem::is_regular_file(path, failed) ? std::filesystem::file_size(path, failed) : 0;
  return failed || size == 0 ? std::nullopt : std::optional(size);
}

}  // namespace ersatz
