// What a crosscheck found, counted.
//
// The unit is a result: a tensor or number that a call returned. `compared` and all of `skipped` add up to `results`;
// `mismatched` and `cosmetic` are parts of `compared`.
#pragma once

#include <array>

#include "fake/finding.h"

namespace ersatz {

/// Why a result was not compared. One closed list, spelled alike everywhere.
enum class SkipReason : uint8_t { Unsupported, DataDependent, Random, Tainted, Unwitnessed };
inline constexpr int kSkipReasonCount = 5;
std::string_view name(SkipReason r);  ///< `unsupported`, `data_dependent`, `random`, `tainted`, `unwitnessed`

/// An exporter's record that a real run contradicts: no finding.
struct WrongRecord {
  std::string node, op;
  int result = 0;
  FindingField field = FindingField::Stride;
  std::string recorded, eager;
};

struct Report {
  int64_t nodes = 0;  ///< calls
  int64_t results = 0;
  int64_t compared = 0;
  int64_t mismatched = 0;
  int64_t cosmetic = 0;
  int64_t values_compared = 0;
  int64_t value_failures = 0;  ///< calls refused because of values by ops that declare it: no findings
  std::array<int64_t, kSkipReasonCount> skipped{};
  std::array<int64_t, kSkipReasonCount> values_skipped{};
  /// Judged by each witness; indexed by Witness. `None` counts as skipped, unwitnessed.
  std::array<int64_t, 6> witnesses{};
  std::vector<WrongRecord> record_wrong;
  std::vector<Finding> findings;
  int64_t waived = 0;

  int64_t& skip(SkipReason r) { return skipped[static_cast<size_t>(r)]; }
  int64_t& skip_values(SkipReason r) { return values_skipped[static_cast<size_t>(r)]; }
  int64_t judged_by(Witness w) const { return witnesses[static_cast<size_t>(w)]; }
  int64_t skipped_total() const;
  /// Something was compared and nothing was found.
  bool clean() const { return compared > 0 && findings.empty(); }
  /// Counts and lists of another run after these.
  void add(const Report& other);
};

/// `crosscheck: 1284 compared, 0 mismatched, 12 skipped (unsupported 9, random 3)`.
std::string closing_line(const Report& report);

}  // namespace ersatz
