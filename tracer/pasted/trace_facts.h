// Reads the records of a TORCH_TRACE log that are not graphs: symbols, guards, graph breaks, fake kernels, generated
// code and failures.
#pragma once

#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "tracer/pasted/clean_lines.h"

namespace ersatz::pasted {

struct TraceFact {
  std::string compile_id;  ///< for example `0_0`; empty if the fact belongs to no compilation
  std::string kind;        ///< `symbol`, `guard`, `graph break`, `fake kernel`, `recompiled`, `code`, `failed`
  std::string text;        ///< for example `s23 = 3 in [2, int_oo]: L['ids'].size()[0]`
  uint32_t line = 0;
};

class TraceFacts {
 public:
  /// Reads the records of a part of the log. Adds each fact once per compilation.
  void read(const CleanText& text);

  const std::vector<TraceFact>& rows() const { return rows_; }
  size_t left_out() const { return left_; }  ///< number of facts after the first 100,000; may count duplicates

 private:
  void add(TraceFact fact);

  std::vector<TraceFact> rows_;
  std::unordered_set<std::string> known_;
  std::map<std::pair<uint32_t, int64_t>, std::string> files_;  // (stream, id of an interned text) -> the text
  size_t left_ = 0;
};

}  // namespace ersatz::pasted
