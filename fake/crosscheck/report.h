// The counts and findings of a crosscheck.
//
// The unit is a result: a tensor or number that a call returned. `compared` and all of `skipped` add up to `results`;
// `mismatched` and `cosmetic` are parts of `compared`.
//
// `mismatched` counts everything that has a finding. A finding about values of a skipped result makes it a compared
// one. A finding about something that no call returned (a buffer or an argument after the run, a call without results)
// counts as one more result.
#pragma once

#include <array>
#include <map>

#include "fake/crosscheck/waiver.h"
#include "fake/mode/coverage.h"
#include "runtime/op/recorded_layout.h"

namespace ersatz {

/// Why a result was not compared: one closed list, with the same words in all outputs. Its values are the first values
/// of NotChecked.
enum class SkipReason : uint8_t { Unsupported, DataDependent, Random, Tainted, Unwitnessed, Excluded, Chosen };
inline constexpr int kSkipReasonCount = 7;
inline NotChecked not_checked(SkipReason r) { return static_cast<NotChecked>(r); }
/// `unsupported`, `data_dependent`, `random`, `tainted`, `unwitnessed`, `excluded`, `chosen`.
inline std::string_view name(SkipReason r) { return name(not_checked(r)); }

/// How a report has counted one result. `Uncounted`: no call returned it.
struct Counted {
  enum class As : uint8_t { Uncounted, Skipped, Agreed, Mismatched };
  As as = As::Uncounted;
  SkipReason reason = SkipReason::Unwitnessed;  ///< the reason if it was skipped
};

/// An exporter's record that a real run contradicts. It is no finding.
struct WrongRecord {
  std::string node, op;
  int result = 0;
  FindingField field = FindingField::Stride;
  std::string recorded, eager;
};

/// Two layouts that place each element alike but name different memory formats. It is no finding.
struct AmbiguousLayout {
  std::string node, op;
  int result = 0;
  std::string predicted, observed;  ///< metadata
  std::string why;
};

/// The largest distances of an op's results from the results for f64 inputs, in multiples of the tolerance.
struct ReferenceError {
  std::string op;
  int64_t results = 0;
  double device = 0, cpu = 0;
};

/// Calls of the user's own operators: operators for which ersatz has no rule.
struct OwnCalls {
  struct Unjudged {
    int64_t calls = 0;
    std::string why;  ///< the reason for the first of the calls
  };
  int64_t judged = 0;                        ///< compared with the prediction of the author's fake kernel
  int64_t known = 0;                         ///< the part of `judged` whose prediction came from a cache
  std::map<std::string, Unjudged> unjudged;  ///< by operator, without operators that the user excluded by name
};

struct Report {
  int64_t nodes = 0;  ///< calls
  int64_t results = 0;
  int64_t compared = 0;
  int64_t mismatched = 0;
  int64_t cosmetic = 0;        ///< strides differ without effect: the sum of the two counts below
  int64_t size_one_only = 0;   ///< in dims of size 1
  int64_t empty_tensor = 0;    ///< of tensors without elements
  int64_t memory_formats = 0;  ///< mismatched results whose memory format is another one too
  int64_t values_compared = 0;
  int64_t value_failures = 0;  ///< calls refused because of values by ops that declare it: no findings
  std::array<int64_t, kSkipReasonCount> skipped{};
  std::array<int64_t, kSkipReasonCount> values_skipped{};
  /// Results judged by each witness; indexed by Witness. `None` counts as skipped, unwitnessed. A result that both a
  /// device and another witness judge counts under both.
  std::array<int64_t, 6> witnesses{};
  /// Results on another device that were not compared with their record, because the record is of a CPU run. It agrees
  /// with the rule's result for the CPU but not with the prediction for the device.
  int64_t records_of_cpu = 0;
  /// Results that differ from their witness only because an argument took over the metadata of an earlier finding. The
  /// rules' predictions without these metadata agree with the witness.
  int64_t follow_ups = 0;
  std::vector<WrongRecord> record_wrong;
  std::vector<Finding> findings;
  int64_t waived = 0;
  std::vector<AmbiguousLayout> ambiguous;  ///< the first kMostAmbiguous layouts
  int64_t ambiguous_layouts = 0;
  static constexpr size_t kMostAmbiguous = 20;
  std::vector<Waiver> waivers;  ///< every row that the run was given, with its uses
  Coverage coverage;
  std::vector<RecordedLayout> layouts;    ///< strides on devices that only the library decides, from its kernel
  std::vector<ReferenceError> reference;  ///< by op, where an f64 reference was asked for
  OwnCalls own;

  int64_t& skip(SkipReason r) { return skipped[static_cast<size_t>(r)]; }
  int64_t& skip_values(SkipReason r) { return values_skipped[static_cast<size_t>(r)]; }
  // All code that counts results calls these functions.
  /// Counts `of_them` results that `witness` judged, `differ` of them as mismatched.
  void count_compared(Witness witness, int64_t of_them = 1, int64_t differ = 0);
  void count_skipped(SkipReason reason, int64_t of_them = 1);
  /// Counts a result as mismatched by `witness`, and no longer as before. A second call has no effect.
  void count_mismatched(Counted& result, Witness witness);
  int64_t judged_by(Witness w) const { return witnesses[static_cast<size_t>(w)]; }
  void add_reference(std::string_view op, double device, double cpu, int64_t results = 1);
  int64_t skipped_total() const;
  /// Whether something was compared, nothing was found, each call of the user's own operators was judged, and each
  /// waiver was needed and has not expired.
  bool clean() const;
  /// Says why a report without findings is not clean, as the end of the closing line. Empty: nothing was left unjudged.
  std::string unjudged() const;
  /// Adds the counts and lists of another run. A waiver that both have becomes one row.
  void add(const Report& other);
};

/// `crosscheck: 1284 compared, 0 mismatched, 12 skipped (unsupported 9, random 3)`. If nothing was found and the report
/// is not clean, the line ends with `; not clean: 3 calls of mylib.foo.default were not judged`.
std::string closing_line(const Report& report);

}  // namespace ersatz
