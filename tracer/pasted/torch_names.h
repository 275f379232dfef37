// Finds the version of PyTorch that a pasted text names.
//
// Versions are read from TORCH_TRACE (`"pytorch_version": "2.15.0+cu132"`), fx_graph_runnable (`# torch version:
// 2.9.1+cu128`), collect_env and similar listings (`PyTorch version: 2.11.0`, `[conda] torch 2.11.0`, `- torch:
// 2.11.0`), pip (`torch==2.11`), and an interpreter (`torch.__version__`). Sentences with a version are not read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/torch_version.h"

namespace ersatz::pasted {

struct NamedTorch {
  std::string text;      ///< for example `2.11.0+cu126`
  TorchVersion version;  ///< the parsed `text`
  uint32_t line = 0;     ///< number of the first line that has the version
  std::string file;      ///< the file that has this line, if it is not the text itself
  /// True if the process that printed the graphs printed the version. A version from a listing counts only if no
  /// process printed one.
  bool by_run = false;
};

class TorchNames {
 public:
  /// Reads a part of the text. `before` lines precede the part. If `listings` is false, only lines of processes that
  /// printed graphs are read; listings take most of the time.
  void read(std::string_view part, size_t before, bool listings);
  /// Reads a file in the folder of the text.
  void read_file(std::string_view text, const std::string& file);
  /// Returns the versions that count (NamedTorch::by_run says when), each once, in the order of their lines.
  std::vector<NamedTorch> rows() const;
  /// Returns the version in the text's spelling, `2.11.0+cu126`; empty if the text names none or several.
  std::string only() const;

 private:
  void read(std::string_view part, size_t before, bool listings, const std::string& file);
  void add(NamedTorch named);

  std::vector<NamedTorch> all_;  // each pair of version and by_run occurs once
};

}  // namespace ersatz::pasted
