// The counts and findings of a crosscheck.
//
// All counts are numbers of results: tensors or numbers that a call returned. `compared` and the sum of `skipped` add
// up to `results`; `mismatched` and `cosmetic` are parts of `compared`.
//
// Each result with a finding counts as `mismatched`. If a finding is about values of a skipped result, the result
// counts as compared. If it is about something that no call returned (a buffer or an argument after the run, a call
// without results), it counts as one more result.
#pragma once

#include <array>
#include <map>

#include "fake/crosscheck/waiver.h"
#include "fake/mode/coverage.h"
#include "runtime/op/recorded_layout.h"

namespace ersatz {

/// The reason why a result was not compared. The enumerators are the first ones of NotChecked, with their names in
/// output.
enum class SkipReason : uint8_t { Unsupported, DataDependent, Random, Tainted, Unwitnessed, Excluded, Chosen };
inline constexpr int kSkipReasonCount = 7;
inline NotChecked not_checked(SkipReason r) { return static_cast<NotChecked>(r); }
/// Returns `unsupported`, `data_dependent`, `random`, `tainted`, `unwitnessed`, `excluded` or `chosen`.
inline std::string_view name(SkipReason r) { return name(not_checked(r)); }

/// Says how a report has counted one result. `Uncounted`: no call returned it.
struct Counted {
  enum class As : uint8_t { Uncounted, Skipped, Agreed, Mismatched };
  As as = As::Uncounted;
  SkipReason reason = SkipReason::Unwitnessed;  ///< the reason if it was skipped
};

/// A record of an exporter that a real run contradicts. This is no finding.
struct WrongRecord {
  std::string node, op;
  int result = 0;
  FindingField field = FindingField::Stride;
  std::string recorded, eager;
};

/// Two layouts that put each element at the same address, but have different memory formats. This is no finding.
struct AmbiguousLayout {
  std::string node, op;
  int result = 0;
  std::string predicted, observed;  ///< metadata
  std::string why;
};

/// The largest errors of an op's results on the device and on the CPU, in multiples of the tolerance. An error is the
/// difference from the result for f64 inputs.
struct ReferenceError {
  std::string op;
  int64_t results = 0;
  double device = 0, cpu = 0;
};

/// Calls of the user's own operators: operators for which ersatz has no rule.
struct OwnCalls {
  struct Unjudged {
    int64_t calls = 0;
    std::string why;  ///< the reason why the first unjudged call was not compared
  };
  int64_t judged = 0;                        ///< calls compared with the prediction of the author's fake kernel
  int64_t known = 0;                         ///< the part of `judged` whose prediction came from a cache
  std::map<std::string, Unjudged> unjudged;  ///< by operator; operators that the user excluded by name are left out
};

struct Report {
  int64_t nodes = 0;  ///< number of calls
  int64_t results = 0;
  int64_t compared = 0;
  int64_t mismatched = 0;
  int64_t cosmetic = 0;        ///< results whose strides differ without effect: the sum of the next two counts
  int64_t size_one_only = 0;   ///< the strides of dims of size 1 differ
  int64_t empty_tensor = 0;    ///< the strides of tensors without elements differ
  int64_t memory_formats = 0;  ///< mismatched results whose memory format differs too
  int64_t values_compared = 0;
  int64_t value_failures = 0;  ///< calls that ops with the tag FailsOnValues refused because of values; they are no
                               ///< findings
  std::array<int64_t, kSkipReasonCount> skipped{};
  std::array<int64_t, kSkipReasonCount> values_skipped{};
  /// Numbers of results compared with each source, indexed by Witness. `None` counts the results that are skipped as
  /// unwitnessed. A result that was compared with both a device and another source counts for both.
  std::array<int64_t, 6> witnesses{};
  /// Number of results on a GPU that were not compared with their record, because it is the record of a CPU run. The
  /// record agrees with the rule's result for the CPU but not with the prediction for the GPU.
  int64_t records_of_cpu = 0;
  /// Number of results that differ from their evidence only because an argument got the metadata of an earlier finding.
  /// The rules' predictions without these metadata agree with the evidence.
  int64_t follow_ups = 0;
  std::vector<WrongRecord> record_wrong;
  std::vector<Finding> findings;
  int64_t waived = 0;
  std::vector<AmbiguousLayout> ambiguous;  ///< the first kMostAmbiguous layouts
  int64_t ambiguous_layouts = 0;
  static constexpr size_t kMostAmbiguous = 20;
  std::vector<Waiver> waivers;  ///< all waivers that were given to the run, with their numbers of uses
  Coverage coverage;
  std::vector<RecordedLayout> layouts;    ///< kernels' strides of results whose strides only a device's library decides
  std::vector<ReferenceError> reference;  ///< by op, if CrosscheckOptions::reference_f64 is set
  OwnCalls own;

  int64_t& skip(SkipReason r) { return skipped[static_cast<size_t>(r)]; }
  int64_t& skip_values(SkipReason r) { return values_skipped[static_cast<size_t>(r)]; }
  // All code that counts results calls the next three functions.
  /// Counts `of_them` results as compared with `witness`, and `differ` of them as mismatched.
  void count_compared(Witness witness, int64_t of_them = 1, int64_t differ = 0);
  void count_skipped(SkipReason reason, int64_t of_them = 1);
  /// Changes the count of a result to mismatched, compared with `witness`. A second call for the result has no effect.
  void count_mismatched(Counted& result, Witness witness);
  int64_t judged_by(Witness w) const { return witnesses[static_cast<size_t>(w)]; }
  void add_reference(std::string_view op, double device, double cpu, int64_t results = 1);
  int64_t skipped_total() const;
  /// Returns whether something was compared, nothing was found, each call of the user's own operators was compared, and
  /// each waiver was needed and has not expired.
  bool clean() const;
  /// Returns why a report without findings is not clean, as the end of the closing line. Empty if it is clean.
  std::string unjudged() const;
  /// Adds the counts and lists of another run. A waiver that is in both reports becomes one row.
  void add(const Report& other);
};

/// Returns `crosscheck: 1284 compared, 0 mismatched, 12 skipped (unsupported 9, random 3)`. If nothing was found and
/// the report is not clean, the line ends with `; not clean: 3 calls of mylib.foo.default were not judged`.
std::string closing_line(const Report& report);

}  // namespace ersatz
