// Limits how much of a text report findings may take.
//
// Long findings are cut on a terminal, and findings after a full report are only counted. A text in a file (`-o`), the
// JSON report and `--repros` are complete.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tools/output/document.h"

namespace ersatz::tools {

inline constexpr size_t kMostOfFinding = 4096;  ///< bytes
inline constexpr size_t kMostOfReport = size_t(64) << 10;

class OutputBudget {
 public:
  /// `whole`: nothing is cut or left out.
  explicit OutputBudget(bool whole = false) : whole_(whole) {}
  bool whole() const { return whole_; }

  /// The lines of one finding, cut if too long; empty if the report is full, which it then stays. `findings`: how many
  /// findings the lines represent.
  Document fit(Document lines, int64_t findings = 1);
  /// True if a repro of that length fits uncut after `taken` bytes of a finding. Half a program is useless.
  bool fits_repro(size_t taken, size_t repro) const { return whole_ || taken + repro <= kMostOfFinding; }
  /// A line with the number of findings that were left out, and where to find them; empty if there are none. `what`:
  /// the word for a finding; `also`: another option of the command that writes them.
  std::string rest(std::string_view what = "finding",
                   std::string_view also = ", --repros FOLDER a file for each") const;

 private:
  const bool whole_;
  size_t left_ = kMostOfReport;
  int64_t left_out_ = 0;
};

}  // namespace ersatz::tools
