// Finds the version of PyTorch that a pasted text names.
//
// These name it: TORCH_TRACE (`"pytorch_version": "2.15.0+cu132"`), fx_graph_runnable (`# torch version: 2.9.1+cu128`),
// collect_env and similar listings (`PyTorch version: 2.11.0`, `[conda] torch  2.11.0`, `- torch: 2.11.0`), pip
// (`torch==2.11`), and an interpreter (`torch.__version__`). Sentences with a version are not read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/torch_version.h"

namespace ersatz::pasted {

struct NamedTorch {
  std::string text;      ///< `2.11.0+cu126`
  TorchVersion version;  ///< the parsed `text`
  uint32_t line = 0;     ///< number of the first line that names it
  std::string file;      ///< the file of that line, if it is not the text itself
  /// The process that printed the graphs names it. A version of a listing counts only if no process names one.
  bool by_run = false;
};

class TorchNames {
 public:
  /// Reads a part of the text. `before` lines precede it. Without `listings`, which take most of the time, only lines
  /// of processes that printed graphs are read.
  void read(std::string_view part, size_t before, bool listings);
  /// Reads a file next to the text.
  void read_file(std::string_view text, const std::string& file);
  /// Returns the versions that count, each once, in the order of their lines.
  std::vector<NamedTorch> rows() const;
  /// Returns the version as the text spells it, `2.11.0+cu126`; empty if the text names none or several.
  std::string only() const;

 private:
  void read(std::string_view part, size_t before, bool listings, const std::string& file);
  void add(NamedTorch named);

  std::vector<NamedTorch> all_;  // each pair of version and by_run once
};

}  // namespace ersatz::pasted
