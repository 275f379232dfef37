#include "tracer/archive/zip_writer.h"

#include <zip.h>

#include <filesystem>

#include "runtime/base/error.h"
#include "tracer/archive/zip_archive.h"

namespace ersatz {

namespace {
zip_t* handle(void* zip) { return static_cast<zip_t*>(zip); }
constexpr zip_uint16_t kNoTime = 0, kFirstDay = 1 << 5 | 1;  // 1980-01-01, where ZIP's calendar begins
}  // namespace

ZipWriter::ZipWriter(const std::string& path) : path_(path) {
  std::error_code ignored;
  const auto there = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    fail_argument("{}: cannot be written: an archive goes to a file, and this is none", path_);
  }
  int code = 0;
  zip_ = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (zip_) return;
  fail_argument("{}: cannot be written: {}", path_, zip_error_text(code));
}

ZipWriter::~ZipWriter() {
  if (zip_) zip_discard(handle(zip_));
}

void ZipWriter::refuse() const { fail_argument("{}: cannot be written: {}", path_, zip_strerror(handle(zip_))); }

void ZipWriter::add(const std::string& name, std::span<const std::byte> bytes) {
  zip_source_t* source = zip_source_buffer(handle(zip_), bytes.data(), bytes.size(), 0);
  if (!source) refuse();
  const int64_t index = zip_file_add(handle(zip_), name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    refuse();
  }
  const auto entry = static_cast<zip_uint64_t>(index);
  if (zip_set_file_compression(handle(zip_), entry, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(handle(zip_), entry, kNoTime, kFirstDay, 0) != 0) {
    refuse();
  }
}

void ZipWriter::finish() {
  if (zip_close(handle(zip_)) != 0) refuse();  // it writes beside the file and renames
  zip_ = nullptr;
}

}  // namespace ersatz
