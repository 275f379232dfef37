// Writes a ZIP file whole or not at all.
//
// Entries are stored without compression and with a fixed date, so equal entries give equal bytes. The file appears
// under its name when `finish` returns. Before that, and if a function raises, an older file of the name is unchanged.
#pragma once

#include <span>
#include <string>

namespace ersatz {

class ZipWriter {
 public:
  /// Like all functions here, raises InvalidArgument if the file cannot be written. A folder or a device at `path` is
  /// refused.
  explicit ZipWriter(const std::string& path);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  void add(const std::string& name, std::span<const std::byte> bytes);
  void finish();

 private:
  [[noreturn]] void refuse() const;
  std::string path_, beside_;  ///< `beside_`: a temporary file in the folder of `path_`, which `finish` renames
  void* zip_ = nullptr;
  bool done_ = false;
};

}  // namespace ersatz
