#include "tracer/archive/zip_archive.h"

#include <zip.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "runtime/base/error.h"
#include "tracer/archive/zip_directory.h"

namespace ersatz {

namespace {

zip_t* handle(void* zip) { return static_cast<zip_t*>(zip); }

bool is_safe_name(std::string_view name) {
  if (name.empty() || name[0] == '/' || name[0] == '\\' || name.find('\0') != name.npos) return false;
  if (name.size() > 1 && name[1] == ':') return false;
  for (size_t start = 0; start <= name.size();) {
    const size_t end = std::min(name.find_first_of("/\\", start), name.size());
    if (name.substr(start, end - start) == "..") return false;
    start = end + 1;
  }
  return true;
}

std::string message_of(zip_error_t* error) {
  std::string text = zip_error_strerror(error);
  zip_error_fini(error);
  return text;
}

/// What stands in front of the entries' data. An empty weight stands for one that is made up, so an entry is not taken
/// for empty on the directory's word.
class LocalHeaders {
 public:
  LocalHeaders(const std::string& path, const std::string& bytes, uint64_t file_size)
      : bytes_(bytes), file_size_(file_size) {
    if (bytes.empty()) file_.open(path, std::ios::binary);
  }

  bool is_empty(uint64_t entry) {
    const ReadAt read = [this](uint64_t offset, std::span<char> to) { return read_at(offset, to); };
    if (!looked_) offsets_ = local_header_offsets(file_size_, read);
    looked_ = true;
    return offsets_ && entry < offsets_->size() && is_empty_entry((*offsets_)[entry], read);
  }

 private:
  bool read_at(uint64_t offset, std::span<char> to) {
    if (offset > file_size_ || to.size() > file_size_ - offset) return false;
    if (!bytes_.empty()) {
      std::memcpy(to.data(), bytes_.data() + offset, to.size());
      return true;
    }
    file_.clear();
    return file_.seekg(static_cast<std::streamoff>(offset)) &&
           file_.read(to.data(), static_cast<std::streamsize>(to.size()));
  }

  const std::string& bytes_;
  uint64_t file_size_;
  std::ifstream file_;
  std::optional<std::vector<uint64_t>> offsets_;
  bool looked_ = false;
};

}  // namespace

std::string zip_error_text(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  return message_of(&error);
}

std::shared_ptr<ZipArchive> ZipArchive::open(const std::string& path) {
  std::error_code failed;
  const uint64_t size = std::filesystem::file_size(path, failed);
  if (failed) fail_argument("{}: cannot be read: {}", path, failed.message());
  std::shared_ptr<ZipArchive> archive(new ZipArchive);
  archive->path_ = path;
  archive->open_with(
      [&path](int flags, std::string& reason) -> void* {
        int code = 0;
        zip_t* zip = zip_open(path.c_str(), flags, &code);
        if (!zip) reason = zip_error_text(code);
        return zip;
      },
      size);
  return archive;
}

std::shared_ptr<ZipArchive> ZipArchive::from_bytes(std::string bytes, std::string name) {
  std::shared_ptr<ZipArchive> archive(new ZipArchive);
  archive->path_ = std::move(name);
  archive->bytes_ = std::move(bytes);
  archive->open_with(
      [&whole = archive->bytes_](int flags, std::string& reason) -> void* {
        zip_error_t error;
        zip_error_init(&error);
        zip_source_t* source = zip_source_buffer_create(whole.data(), whole.size(), 0, &error);
        zip_t* zip = source ? zip_open_from_source(source, flags, &error) : nullptr;
        if (!zip && source) zip_source_free(source);
        reason = message_of(&error);
        return zip;
      },
      archive->bytes_.size());
  return archive;
}

/// libzip compares the header in front of each entry with the directory, and looks whether its data ends before that.
/// What it says of an archive that fails names no entry, so the archive is looked at without that first.
void ZipArchive::open_with(const Opener& opener, uint64_t file_size) {
  std::string refused, reason;
  zip_ = opener(ZIP_RDONLY | ZIP_CHECKCONS, refused);
  if (zip_) return index_entries(file_size);
  zip_ = opener(ZIP_RDONLY, reason);
  if (!zip_) fail_argument("{}: no readable ZIP archive: {}", path_, reason);
  index_entries(file_size);
  fail_argument("{}: its entries are not what its directory says: {}", path_, refused);
}

ZipArchive::~ZipArchive() {
  if (zip_) zip_discard(handle(zip_));
}

void ZipArchive::index_entries(uint64_t file_size) {
  if (file_size == 0) fail_argument("{}: no readable ZIP archive: it is empty", path_);
  const int64_t count = zip_get_num_entries(handle(zip_), 0);
  if (count < 0 || static_cast<uint64_t>(count) > file_size / 46) {  // a directory entry has 46 bytes at least
    fail_argument("{}: claims {} entries in {} bytes", path_, count, file_size);
  }
  entries_.reserve(static_cast<size_t>(count));
  LocalHeaders headers(path_, bytes_, file_size);
  for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
    zip_stat_t stat;
    zip_stat_init(&stat);
    constexpr zip_uint64_t needed =
        ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC;
    if (zip_stat_index(handle(zip_), i, 0, &stat) != 0 || (stat.valid & needed) != needed) {
      fail_argument("{}: entry {} of the directory is damaged", path_, i);
    }
    const std::string_view name = stat.name;
    if (!is_safe_name(name)) fail_argument("{}: entry {} has a name that leaves the archive: '{}'", path_, i, name);
    if (name.back() == '/') continue;  // a folder
    if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) && stat.encryption_method != ZIP_EM_NONE) {
      fail_argument("{}: {}: is encrypted", path_, name);
    }
    const bool stored = stat.comp_method == ZIP_CM_STORE;
    if (!stored && stat.comp_method != ZIP_CM_DEFLATE) {
      fail_argument("{}: {}: compression method {} (only stored and deflated entries are read)", path_, name,
                    stat.comp_method);
    }
    const bool fits =
        stat.comp_size <= file_size && (stored ? stat.size == stat.comp_size : stat.size / 1032 <= stat.comp_size + 1);
    if (!fits) {
      fail_argument("{}: {}: claims {} bytes, {} in the file of {}", path_, name, stat.size, stat.comp_size, file_size);
    }
    entries_.push_back({std::string(name), static_cast<int64_t>(stat.size), i});
    if (stat.size == 0) {
      if (stat.comp_size != 0) {
        read(entries_.back());
      } else if (stat.crc != 0 || !headers.is_empty(i)) {
        fail_argument("{}: {}: is empty by the directory, but its data does not end where it begins", path_, name);
      }
    }
  }
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!by_name_.emplace(entries_[i].name, i).second) {
      fail_argument("{}: two entries are named '{}'", path_, entries_[i].name);
    }
  }
}

const ZipArchive::Entry* ZipArchive::find(std::string_view name) const {
  auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &entries_[found->second];
}

std::string ZipArchive::read(const Entry& entry) const {
  std::string text(static_cast<size_t>(entry.size), '\0');
  read_into(entry, text);
  return text;
}

void ZipArchive::read(std::string_view name, std::span<char> to) const {
  const Entry* entry = find(name);
  if (!entry) fail_argument("{}: has no entry '{}'", path_, name);
  if (entry->size != static_cast<int64_t>(to.size())) {
    fail_argument("{}: {}: has {} bytes where {} are asked", path_, name, entry->size, to.size());
  }
  read_into(*entry, to);
}

void ZipArchive::read_into(const Entry& entry, std::span<char> to) const {
  zip_file_t* file = zip_fopen_index(handle(zip_), entry.index, 0);
  if (!file) fail_argument("{}: {}: cannot be read: {}", path_, entry.name, zip_strerror(handle(zip_)));
  size_t done = 0;
  while (done < to.size()) {
    const int64_t got = zip_fread(file, to.data() + done, to.size() - done);
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  char beyond;  // reading to the end makes libzip compare the checksum
  const bool clean = done == to.size() && zip_fread(file, &beyond, 1) == 0;
  const std::string reason = clean ? "" : zip_file_strerror(file);
  zip_fclose(file);
  if (!clean) {
    fail_argument("{}: {}: damaged after {} of {} bytes ({})", path_, entry.name, done, to.size(), reason);
  }
}

}  // namespace ersatz
