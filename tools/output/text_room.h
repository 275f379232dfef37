// How much of a text report findings may take.
//
// A terminal is no place for megabytes: a finding is cut where it is long, and what comes after a full report is
// counted only. A text that goes to a file (`-o`), the JSON report and `--repros` are whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tools/output/document.h"

namespace ersatz::tools {

inline constexpr size_t kMostOfFinding = 4096;  ///< bytes
inline constexpr size_t kMostOfReport = size_t(64) << 10;

class TextRoom {
 public:
  /// `whole`: nothing is cut or left out.
  explicit TextRoom(bool whole = false) : whole_(whole) {}
  bool whole() const { return whole_; }

  /// The lines of one finding, cut where they are too long; empty where the report is full, which stays so. Lines that
  /// stand for several findings counts as so many.
  Document fit(Document lines, int64_t findings = 1);
  /// Where `taken` bytes of a finding are said already, would a program of that length be cut? Half of one is
  /// of no use.
  bool has_room_for_repro(size_t taken, size_t repro) const { return whole_ || taken + repro <= kMostOfFinding; }
  /// How many findings were left out and where they are, as a line; empty where there are none. `what` is the word for
  /// one, `also` another place that the command can put them.
  std::string rest(std::string_view what = "finding",
                   std::string_view also = ", --repros FOLDER a file for each") const;

 private:
  const bool whole_;
  size_t left_ = kMostOfReport;
  int64_t left_out_ = 0;
};

}  // namespace ersatz::tools
