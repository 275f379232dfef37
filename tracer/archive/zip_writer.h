// Writes a ZIP file that is either complete or not there.
//
// Entries are stored without compression and with a fixed date, so equal entries give equal bytes. `finish` gives the
// file its name. Until then, and if a function raises, an older file with that name is unchanged.
#pragma once

#include <span>
#include <string>

namespace ersatz {

class ZipWriter {
 public:
  /// RAISES InvalidArgument if `path` is a folder or a device. Every function of the class raises it if the file cannot
  /// be written.
  explicit ZipWriter(const std::string& path);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  void add(const std::string& name, std::span<const std::byte> bytes);
  void finish();

 private:
  [[noreturn]] void refuse() const;
  std::string path_, beside_;  ///< `beside_` is a temporary file in the folder of `path_`, which `finish` renames
  void* zip_ = nullptr;
  bool done_ = false;
};

}  // namespace ersatz
