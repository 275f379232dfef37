// Limits the length of findings in a text report.
//
// On a terminal, long findings are cut. Once the report is full, further findings are only counted. Reports in a file
// (`-o`), in JSON and in `--repros` are complete.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tools/output/document.h"

namespace ersatz::tools {

inline constexpr size_t kMostOfFinding = 4096;  ///< in bytes
inline constexpr size_t kMostOfReport = size_t(64) << 10;

class OutputBudget {
 public:
  /// `whole`: no finding is cut or left out.
  explicit OutputBudget(bool whole = false) : whole_(whole) {}
  bool whole() const { return whole_; }

  /// Returns the lines of one finding, cut if they are too long. Empty if the report is full; all later findings are
  /// then left out too. `findings`: how many findings the lines represent.
  Document fit(Document lines, int64_t findings = 1);
  /// True if a repro of `repro` bytes fits uncut after `taken` bytes of the finding. If not, the repro is left out,
  /// because half a program is useless.
  bool fits_repro(size_t taken, size_t repro) const { return whole_ || taken + repro <= kMostOfFinding; }
  /// Returns a line with the number of findings that were left out, and where to find them; empty if there are none.
  /// `what` is the word for a finding. `also` names another option of the command that writes all findings.
  std::string rest(std::string_view what = "finding",
                   std::string_view also = ", --repros FOLDER a file for each") const;

 private:
  const bool whole_;
  size_t left_ = kMostOfReport;
  int64_t left_out_ = 0;
};

}  // namespace ersatz::tools
