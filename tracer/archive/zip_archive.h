// Reading untrusted ZIP files.
//
// Sizes and names come from the central directory; entries may be stored or deflated. Opening refuses (InvalidArgument,
// one line): a file that is no ZIP or is cut off, an entry that the directory names and the file does not hold where it
// says (no header of that name, checksum and sizes there, or data that would not end before the directory), absolute or
// `..` names, two entries of one name, encryption, other compressions, sizes that the file cannot hold (a stored entry
// is no larger than the file, a deflated one no more than 1032 times its compressed bytes), and entries that only the
// directory says are empty. Checksums are compared when an entry is read. Not thread-safe.
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
    uint64_t row = 0;  ///< where the directory tells of it
  };

  static std::shared_ptr<ZipArchive> open(const std::string& path);
  /// From memory; `name` stands for the path in messages.
  static std::shared_ptr<ZipArchive> from_bytes(std::string bytes, std::string name);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  const std::string& path() const { return path_; }
  const std::vector<Entry>& entries() const { return entries_; }  ///< files only, in the archive's order
  const Entry* find(std::string_view name) const;

  /// Whole entries; the checksum is verified.
  std::string read(const Entry& entry) const;
  /// Into a buffer of exactly the entry's size.
  void read(std::string_view name, std::span<char> to) const;

 private:
  ZipArchive() = default;
  class Reader;  ///< of the file's bytes
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
