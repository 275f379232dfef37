// Reads untrusted ZIP files.
//
// Sizes and names come from the central directory. Entries may be stored or deflated. Opening raises InvalidArgument,
// with one line, for:
// - a file that is no ZIP, or is cut off;
// - an entry without a local header at its offset, or whose local header has another name, checksum or size;
// - an entry whose data does not end before the directory;
// - absolute names, names with `..`, and two entries with one name;
// - encryption, and compression methods other than deflate;
// - sizes that the file cannot hold: a stored entry larger than the file, a deflated entry larger than 1032 times its
//   compressed bytes;
// - an entry that is empty according to the directory, but has data.
//
// Reading an entry compares its checksum. Not thread-safe.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ersatz {

class ZipArchive {
 public:
  struct Entry {
    std::string name;
    int64_t size = 0;
    uint64_t row = 0;  ///< offset of the entry's row in the central directory
  };

  static std::shared_ptr<ZipArchive> open(const std::string& path);
  /// Opens an archive in memory. `name` replaces the path in error messages.
  static std::shared_ptr<ZipArchive> from_bytes(std::string bytes, std::string name);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  const std::string& path() const { return path_; }
  /// Entries that are no folders, in the order of the archive.
  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(std::string_view name) const;

  /// Returns the entry's bytes. RAISES InvalidArgument if their checksum is wrong.
  std::string read(const Entry& entry) const;
  /// Reads an entry into `to`. REQUIRES: `to` has exactly the entry's size.
  void read(std::string_view name, std::span<char> to) const;

 private:
  ZipArchive() = default;
  class Reader;  ///< reads raw bytes of the file
  void open_file(uint64_t file_size);
  void index_entries(Reader& reader);
  Entry checked_entry(Reader& reader, uint64_t number) const;
  void check_header(Reader& reader, const Entry& entry, uint64_t compressed) const;
  void read_into(const Entry& entry, std::span<char> to) const;
  std::string path_;
  std::string bytes_;
  void* zip_ = nullptr;
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, size_t> by_name_;
};

}  // namespace ersatz
