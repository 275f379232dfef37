#include "tracer/archive/zip_writer.h"

#include <minizip/zip.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "runtime/base/error.h"

namespace ersatz {

namespace {
constexpr uLong kFirstDay = (1 << 5 | 1) << 16;  // 1980-01-01, the first date that a ZIP file can have
constexpr uLong kNamesAreUtf8 = 1 << 11;
constexpr int kStored = 0;
constexpr size_t kLarge = UINT32_MAX;
constexpr size_t kMostWritten = size_t(1) << 30;  // minizip counts the bytes of one write in an unsigned int
}  // namespace

ZipWriter::ZipWriter(const std::string& path) : path_(path), beside_(path + ".XXXXXX") {
  std::error_code ignored;
  const auto there = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    fail_argument("{}: cannot be written: an archive goes to a file, and this is none", path_);
  }
  const int fd = ::mkstemp(beside_.data());
  if (fd < 0) refuse();
  const mode_t kept = ::umask(0);
  ::umask(kept);
  ::fchmod(fd, std::filesystem::exists(there) ? static_cast<mode_t>(there.permissions()) : 0666 & ~kept);
  ::close(fd);
  errno = 0;
  zip_ = ::zipOpen64(beside_.c_str(), APPEND_STATUS_CREATE);
  if (zip_) return;
  const int reason = errno;
  ::unlink(beside_.c_str());
  errno = reason;
  refuse();
}

ZipWriter::~ZipWriter() {
  if (zip_) ::zipClose(zip_, nullptr);
  if (!done_) ::unlink(beside_.c_str());
}

/// RAISES InvalidArgument with the system's errno, because minizip's error code does not say why it failed.
void ZipWriter::refuse() const {
  fail_argument("{}: cannot be written: {}", path_, errno ? std::strerror(errno) : "the archive would be damaged");
}

void ZipWriter::add(const std::string& name, std::span<const std::byte> bytes) {
  zip_fileinfo info = {};
  info.dosDate = kFirstDay;
  errno = 0;
  if (::zipOpenNewFileInZip4_64(zip_, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, kStored, 0, 0, -MAX_WBITS,
                                DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nullptr, 0, 0, kNamesAreUtf8,
                                bytes.size() >= kLarge) != ZIP_OK) {
    refuse();
  }
  while (!bytes.empty()) {
    const std::span<const std::byte> piece = bytes.first(std::min(bytes.size(), kMostWritten));
    if (::zipWriteInFileInZip(zip_, piece.data(), static_cast<unsigned>(piece.size())) != ZIP_OK) refuse();
    bytes = bytes.subspan(piece.size());
  }
  if (::zipCloseFileInZip(zip_) != ZIP_OK) refuse();
}

void ZipWriter::finish() {
  errno = 0;
  const int closed = ::zipClose(std::exchange(zip_, nullptr), nullptr);
  if (closed != ZIP_OK || ::rename(beside_.c_str(), path_.c_str()) != 0) refuse();
  done_ = true;
}

}  // namespace ersatz
