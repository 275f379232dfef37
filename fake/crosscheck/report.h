// The counts and findings of a crosscheck.
//
// The unit is a result: a tensor or number that a call returned. `compared` and all of `skipped` add up to `results`;
// `mismatched` and `cosmetic` are parts of `compared`.
//
// `mismatched` counts whatever a finding was made about. A finding about values of a result that had been skipped turns
// it into a compared one; one about something that no call returned (a buffer or an argument after the run, a call
// without results) counts as one more result.
#pragma once

#include <array>
#include <map>

#include "fake/crosscheck/waiver.h"
#include "fake/mode/coverage.h"
#include "runtime/op/recorded_layout.h"

namespace ersatz {

/// Why a result was not compared. One closed list, spelled alike everywhere.
/// The first names of NotChecked, in its order.
enum class SkipReason : uint8_t { Unsupported, DataDependent, Random, Tainted, Unwitnessed, Excluded, Chosen };
inline constexpr int kSkipReasonCount = 7;
inline NotChecked not_checked(SkipReason r) { return static_cast<NotChecked>(r); }
/// `unsupported`, `data_dependent`, `random`, `tainted`, `unwitnessed`, `excluded`, `chosen`.
inline std::string_view name(SkipReason r) { return name(not_checked(r)); }

/// How a report has counted one result. `Uncounted`: no call returned it.
struct Counted {
  enum class As : uint8_t { Uncounted, Skipped, Agreed, Mismatched };
  As as = As::Uncounted;
  SkipReason reason = SkipReason::Unwitnessed;  ///< of a skipped one
};

/// An exporter's record that a real run contradicts: no finding.
struct WrongRecord {
  std::string node, op;
  int result = 0;
  FindingField field = FindingField::Stride;
  std::string recorded, eager;
};

/// Two layouts that hold the same elements in the same places and still name different memory formats: no finding.
struct AmbiguousLayout {
  std::string node, op;
  int result = 0;
  std::string predicted, observed;  ///< metadata
  std::string why;
};

/// How far results were from what f64 inputs give, in tolerances: the worst of an op.
struct ReferenceError {
  std::string op;
  int64_t results = 0;
  double device = 0, cpu = 0;
};

/// Calls of the user's own operators, that is, of operators without a rule in ersatz.
struct OwnCalls {
  struct Unjudged {
    int64_t calls = 0;
    std::string why;  ///< of the first
  };
  int64_t judged = 0;                        ///< compared with the prediction of their author's fake kernel
  int64_t known = 0;                         ///< those of them whose prediction came from a cache
  std::map<std::string, Unjudged> unjudged;  ///< by operator, but for those that the user excluded by name
};

struct Report {
  int64_t nodes = 0;  ///< calls
  int64_t results = 0;
  int64_t compared = 0;
  int64_t mismatched = 0;
  int64_t cosmetic = 0;        ///< strides differ without effect: the sum of the next two
  int64_t size_one_only = 0;   ///< in dims of size 1
  int64_t empty_tensor = 0;    ///< of tensors without elements
  int64_t memory_formats = 0;  ///< mismatched results whose memory format is another one too
  int64_t values_compared = 0;
  int64_t value_failures = 0;  ///< calls refused because of values by ops that declare it: no findings
  std::array<int64_t, kSkipReasonCount> skipped{};
  std::array<int64_t, kSkipReasonCount> values_skipped{};
  /// Results compared, by source; indexed by Witness. `None` counts as skipped, unwitnessed. A result compared with
  /// Device and with another source counts under both.
  std::array<int64_t, 6> witnesses{};
  /// Results on another device that were not judged by their record: it is of a CPU run, the device's result differs
  /// from it, and the rule asked for the CPU agrees with it.
  int64_t records_of_cpu = 0;
  /// Results that differ only because an argument adopted the observed metadata of an earlier finding: computed from
  /// the rules' predictions alone, they agree.
  int64_t follow_ups = 0;
  std::vector<WrongRecord> record_wrong;
  std::vector<Finding> findings;
  int64_t waived = 0;
  std::vector<AmbiguousLayout> ambiguous;  ///< the first kMostAmbiguous of them
  int64_t ambiguous_layouts = 0;
  static constexpr size_t kMostAmbiguous = 20;
  std::vector<Waiver> waivers;  ///< every row that the run was given, with its uses
  Coverage coverage;
  std::vector<RecordedLayout> layouts;    ///< on devices: what only the library could tell, and its kernel told
  std::vector<ReferenceError> reference;  ///< by op, where an f64 reference was asked for
  OwnCalls own;

  int64_t& skip(SkipReason r) { return skipped[static_cast<size_t>(r)]; }
  int64_t& skip_values(SkipReason r) { return values_skipped[static_cast<size_t>(r)]; }
  // The tally: all code that counts results calls these.
  /// Results that `witness` judged, of which so many differ.
  void count_compared(Witness witness, int64_t of_them = 1, int64_t differ = 0);
  void count_skipped(SkipReason reason, int64_t of_them = 1);
  /// Counts a result as mismatched by that witness, whatever it was counted as before. Twice is once.
  void count_mismatched(Counted& result, Witness witness);
  int64_t judged_by(Witness w) const { return witnesses[static_cast<size_t>(w)]; }
  void add_reference(std::string_view op, double device, double cpu, int64_t results = 1);
  int64_t skipped_total() const;
  /// Something was compared, nothing was found, no call of the user's own operators was left unjudged, and every waiver
  /// was needed and still counts.
  bool clean() const;
  /// Why a report without findings is not clean, in words that end its closing line; empty: nothing was left unjudged.
  std::string unjudged() const;
  /// Counts and lists of another run after these. The same waiver in both is one row.
  void add(const Report& other);
};

/// `crosscheck: 1284 compared, 0 mismatched, 12 skipped (unsupported 9, random 3)`; behind it, where nothing was found
/// and the report is not clean all the same, `; not clean: 3 calls of mylib.foo.default were not judged`.
std::string closing_line(const Report& report);

}  // namespace ersatz
