// Reading untrusted ZIP files.
//
// Sizes and names come from the central directory; entries may be stored or deflated. Opening refuses (InvalidArgument,
// one line): a file that is no ZIP or is cut off, an entry that the directory names and the file does not hold where it
// says (no header of that name there, or data that would not end before the directory), absolute or `..` names, two
// entries of one name, encryption, other compressions, sizes that the file cannot hold (a stored entry is no larger
// than the file, a deflated one no more than 1032 times its compressed bytes), and entries that only the directory says
// are empty. Checksums are compared when an entry is read. Not thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ersatz {

/// What libzip's error code says, in words.
std::string zip_error_text(int code);

class ZipArchive {
 public:
  struct Entry {
    std::string name;
    int64_t size = 0;
    uint64_t index = 0;
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
  /// Opens the archive with these flags of libzip; null, and the reason, where it cannot.
  using Opener = std::function<void*(int flags, std::string& reason)>;
  void open_with(const Opener& opener, uint64_t file_size);
  void index_entries(uint64_t file_size);
  void read_into(const Entry& entry, std::span<char> to) const;
  std::string path_;
  std::string bytes_;
  void* zip_ = nullptr;
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, size_t> by_name_;
};

}  // namespace ersatz
