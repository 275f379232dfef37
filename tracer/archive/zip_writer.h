// Writing a ZIP file whole or not at all.
//
// Entries are stored without compression and without a date: the same entries give the same bytes. The file appears
// under its name when `finish` returns; until then, and if it raises, whatever was there before remains.
#pragma once

#include <span>
#include <string>

namespace ersatz {

class ZipWriter {
 public:
  /// Raises InvalidArgument, as all here, where the file cannot be made, or where a folder or a device is in its place.
  explicit ZipWriter(const std::string& path);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  void add(const std::string& name, std::span<const std::byte> bytes);
  void finish();

 private:
  [[noreturn]] void refuse() const;
  std::string path_, beside_;  ///< the file is written beside the path, and renamed
  void* zip_ = nullptr;
  bool done_ = false;
};

}  // namespace ersatz
