#include "tracer/archive/zip_archive.h"

#include <minizip/unzip.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "runtime/base/error.h"
#include "tracer/archive/input_file.h"
#include "tracer/archive/zip_directory.h"

namespace ersatz {

namespace {

constexpr uLong kEncrypted = 1, kStrictlyEncrypted = 1 << 6;
constexpr int kStored = 0;
constexpr uint64_t kRowBytes = 46, kHeaderBytes = 30;
// Minizip counts the bytes of one read in an int, so larger reads are split.
constexpr size_t kMostRead = size_t(1) << 30;

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

/// A deflate stream without data is one final block, either with fixed codes or stored, and has at most 5 bytes.
constexpr uint64_t kMostOfNothing = 5;
bool is_nothing(std::string_view stream) {
  using namespace std::string_view_literals;
  return stream == "\x03\x00"sv || stream == "\x01\x00\x00\xff\xff"sv;
}

std::FILE* open_bytes(const std::string& bytes) {
  // The const_cast is safe: with "rb" fmemopen only reads.
  return ::fmemopen(const_cast<char*>(bytes.data()), bytes.size(), "rb");
}
void* open_kept_bytes(void* bytes, const void*, int) { return open_bytes(*static_cast<const std::string*>(bytes)); }

}  // namespace

/// Reads the local header before each entry's data. minizip gives no access to these headers. An entry counts as empty
/// only if header and directory say so, because ersatz makes up values for an empty weight.
class ZipArchive::Reader {
 public:
  Reader(const std::string& path, const std::string& bytes, uint64_t file_size)
      : file_(bytes.empty() ? std::fopen(path.c_str(), "rb") : open_bytes(bytes)),
        file_size_(file_size),
        directory_(find_directory(file_size, at())) {}

  uint64_t file_size() const { return file_size_; }
  const std::optional<ZipDirectory>& directory() const { return directory_; }
  ReadAt at() {
    return [this](uint64_t offset, std::span<char> to) {
      return file_ && offset <= file_size_ && to.size() <= file_size_ - offset &&
             ::fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) == 0 &&
             std::fread(to.data(), 1, to.size(), file_.get()) == to.size();
    };
  }

 private:
  InputFile file_;
  uint64_t file_size_;
  std::optional<ZipDirectory> directory_;
};

std::shared_ptr<ZipArchive> ZipArchive::open(const std::string& path) {
  std::error_code failed;
  const uint64_t size = std::filesystem::file_size(path, failed);
  if (failed) fail_argument("{}: cannot be read: {}", path, failed.message());
  std::shared_ptr<ZipArchive> archive(new ZipArchive);
  archive->path_ = path;
  archive->open_file(size);
  return archive;
}

std::shared_ptr<ZipArchive> ZipArchive::from_bytes(std::string bytes, std::string name) {
  std::shared_ptr<ZipArchive> archive(new ZipArchive);
  archive->path_ = std::move(name);
  archive->bytes_ = std::move(bytes);
  archive->open_file(archive->bytes_.size());
  return archive;
}

void ZipArchive::open_file(uint64_t file_size) {
  if (file_size == 0) fail_argument("{}: no readable ZIP archive: it is empty", path_);
  zlib_filefunc64_def functions;
  ::fill_fopen64_filefunc(&functions);
  if (!bytes_.empty()) {
    functions.zopen64_file = open_kept_bytes;
    functions.opaque = &bytes_;
  }
  errno = 0;
  zip_ = ::unzOpen2_64(path_.c_str(), &functions);
  if (!zip_) {
    fail_argument("{}: no readable ZIP archive: {}", path_, errno ? std::strerror(errno) : "it has no directory");
  }
  Reader reader(path_, bytes_, file_size);
  index_entries(reader);
}

ZipArchive::~ZipArchive() {
  if (zip_) ::unzClose(zip_);
}

void ZipArchive::index_entries(Reader& reader) {
  unz_global_info64 whole;
  ::unzGetGlobalInfo64(zip_, &whole);
  const uint64_t count = whole.number_entry;
  if (count > reader.file_size() / kRowBytes) {
    fail_argument("{}: claims {} entries in {} bytes", path_, count, reader.file_size());
  }
  // If minizip had found another directory than `find_directory` did, the checks of `reader` would not hold for
  // minizip's entries.
  if (!reader.directory() || reader.directory()->entries != count ||
      (count > 0 && ::unzGetOffset64(zip_) != reader.directory()->offset)) {
    fail_argument("{}: no readable ZIP archive: its directory is not where its end says", path_);
  }
  entries_.reserve(static_cast<size_t>(count));
  for (uint64_t i = 0; i < count; ++i) {
    if (i > 0 && ::unzGoToNextFile(zip_) != UNZ_OK) fail_argument("{}: entry {} of the directory is damaged", path_, i);
    Entry entry = checked_entry(reader, i);
    if (entry.name.back() != '/') entries_.push_back(std::move(entry));  // an entry whose name ends in '/' is a folder
  }
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!by_name_.emplace(entries_[i].name, i).second) {
      fail_argument("{}: two entries are named '{}'", path_, entries_[i].name);
    }
  }
}

ZipArchive::Entry ZipArchive::checked_entry(Reader& reader, uint64_t number) const {
  unz_file_info64 info;
  if (::unzGetCurrentFileInfo64(zip_, &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK) {
    fail_argument("{}: entry {} of the directory is damaged", path_, number);
  }
  std::string name(info.size_filename, '\0');
  if (::unzGetCurrentFileInfo64(zip_, nullptr, name.data(), info.size_filename, nullptr, 0, nullptr, 0) != UNZ_OK) {
    fail_argument("{}: entry {} of the directory is damaged", path_, number);
  }
  if (!is_safe_name(name)) {
    fail_argument("{}: entry {} has a name that leaves the archive: '{}'", path_, number, name.c_str());
  }
  const Entry entry{name, static_cast<int64_t>(info.uncompressed_size), ::unzGetOffset64(zip_)};
  if (name.back() == '/') return entry;
  if (info.flag & (kEncrypted | kStrictlyEncrypted)) fail_argument("{}: {}: is encrypted", path_, name);
  const bool stored = info.compression_method == kStored;
  if (!stored && info.compression_method != Z_DEFLATED) {
    fail_argument("{}: {}: compression method {} (only stored and deflated entries are read)", path_, name,
                  info.compression_method);
  }
  const uint64_t size = info.uncompressed_size, compressed = info.compressed_size;
  if (compressed > reader.file_size() || (stored ? size != compressed : size / 1032 > compressed + 1)) {
    fail_argument("{}: {}: claims {} bytes, {} in the file of {}", path_, name, size, compressed, reader.file_size());
  }
  if (size == 0 && compressed == 0 && info.crc != 0) {
    fail_argument("{}: {}: is empty by the directory, but its data does not end where it begins", path_, name);
  }
  check_header(reader, entry, compressed);
  return entry;
}

/// Checks the local header of `entry`. REQUIRES: `entry` is minizip's current entry. When minizip opens an entry, it
/// compares checksum, sizes and compression with the local header, but not the name and the end of the data.
void ZipArchive::check_header(Reader& reader, const Entry& entry, uint64_t compressed) const {
  if (::unzOpenCurrentFile(zip_) != UNZ_OK) {
    fail_argument("{}: its entries are not what its directory says: no header of '{}' where it says", path_,
                  entry.name);
  }
  const uint64_t data = ::unzGetCurrentFileZStreamPos64(zip_);
  const auto extra = static_cast<uint64_t>(::unzGetLocalExtrafield(zip_, nullptr, 0));
  ::unzCloseCurrentFile(zip_);
  const uint64_t header = data - extra - entry.name.size() - kHeaderBytes;
  if (!is_header_of(entry.name, header, reader.at())) {
    fail_argument("{}: its entries are not what its directory says: another one lies in the place of '{}'", path_,
                  entry.name);
  }
  if (data > reader.directory()->offset || compressed > reader.directory()->offset - data) {
    fail_argument("{}: its entries are not what its directory says: '{}' does not end before the directory", path_,
                  entry.name);
  }
  if (entry.size > 0) return;
  std::string stream(std::min(compressed, kMostOfNothing), '\0');
  const bool empty = compressed == 0 ? is_empty_entry(header, reader.at())
                                     : reader.at()(data, stream) && stream.size() == compressed && is_nothing(stream);
  if (!empty) {
    fail_argument("{}: {}: is empty by the directory, but its data does not end where it begins", path_, entry.name);
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
  if (::unzSetOffset64(zip_, entry.row) != UNZ_OK || ::unzOpenCurrentFile(zip_) != UNZ_OK) {
    fail_argument("{}: {}: cannot be read: it is no longer where it was", path_, entry.name);
  }
  size_t done = 0;
  int got = 1;
  while (done < to.size() && got > 0) {
    got = ::unzReadCurrentFile(zip_, to.data() + done, static_cast<unsigned>(std::min(to.size() - done, kMostRead)));
    if (got > 0) done += static_cast<size_t>(got);
  }
  const int closed = ::unzCloseCurrentFile(zip_);  // if the whole entry was read, this compares the checksum
  if (done == to.size() && closed == UNZ_OK) return;
  fail_argument("{}: {}: damaged after {} of {} bytes ({})", path_, entry.name, done, to.size(),
                done == to.size() ? "another checksum"
                : got < 0         ? "no readable data"
                                  : "the file ends");
}

}  // namespace ersatz
