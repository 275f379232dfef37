// Waivers are rows of a data file that give the reason for known findings. A row that matches nothing, or has expired,
// makes the run fail.
//
// A row is `op field until=DATE record=CHECKSUM reason...`, separated by blanks:
//   aten.foo.default stride until=2027-01-31 the library picks it (see deviations)
// DATE is the last day on which the row is valid. With `until=never`, or without `until`, the row never expires. `#`
// starts a comment line. `*` matches any op or any field. In place of an op, a row may name a node (or a recorded
// call's id) and then matches that call only.
// With `record`, the row matches only the recorded call whose line has that checksum, because another file may have
// another call of that id. A row with `record` and field `value` also matches a kernel's refusal of values, which a run
// without kernels does not raise.
#pragma once

#include <chrono>
#include <optional>

#include "fake/crosscheck/finding.h"

namespace ersatz {

struct Waiver {
  std::string op;
  std::string field;
  std::string reason;
  std::optional<std::chrono::year_month_day> until;  ///< the last valid day; empty: the row never expires
  std::optional<uint64_t> record;                    ///< the checksum of the recorded call; empty: any call
  bool expired = false;                              ///< the last valid day has passed; the row waives nothing
  bool known = false;                                ///< the row is compiled into the program, not from the user
  int64_t used = 0;
  int64_t passed = 0;  ///< for a `known` row: number of runs of its call that needed no waiver

  /// Returns whether the row makes the run fail like a finding: it has expired or waived nothing. A `known` row that
  /// waived nothing makes the run fail only if its call was run.
  bool broken() const { return expired || (used == 0 && (!known || passed > 0)); }
  /// Returns whether both rows are equal. Their counts are not compared.
  bool same_as(const Waiver& other) const;
};
/// Returns `applied`, `unused` or `expired`.
std::string_view state(const Waiver& row);
/// Returns `2027-01-31` or `never`.
std::string until_text(const Waiver& row);
/// Returns `aten.foo.default stride until 2027-01-31, used 2 times: the library picks it`.
std::string to_string(const Waiver& row);
/// Returns the checksum that identifies a recorded call: FNV-1a of its line without the end of line.
uint64_t record_checksum(std::string_view line);

/// Returns the date of today in UTC.
std::chrono::year_month_day clock_date();
/// Parses `2027-01-31`. Returns nullopt if the text is no day of the calendar.
std::optional<std::chrono::year_month_day> parse_date(std::string_view text);

class Waivers {
 public:
  Waivers() = default;
  /// Parses the text of a file; `name` is for messages. RAISES: InvalidArgument with the line number of a wrong row.
  static Waivers parse(std::string_view text, std::string_view name, std::chrono::year_month_day today = clock_date());

  /// Returns whether a row waives the finding. The first row that waives it counts the use.
  bool waives(const Finding& f);
  bool waives(std::string_view op, std::string_view field);
  /// Returns whether a row about the recorded call with that checksum waives the finding. The first row that waives it
  /// counts the use.
  bool waives_record(const Finding& f, uint64_t checksum);
  /// Returns whether a row names the recorded call with the id `id`.
  bool has_record(std::string_view id) const;
  /// Adds 1 to `passed` of each row about this recorded call. `values`: the call's values were compared too.
  void record_passed(std::string_view id, uint64_t checksum, bool values);
  /// Appends copies of the rows of `more`. `known`: they are compiled into the program.
  void append(const Waivers& more, bool known);
  const std::vector<Waiver>& rows() const { return rows_; }
  /// Adds to the `used` count of each row the count of the equal row in `rows`.
  void add_uses(const std::vector<Waiver>& rows);
  /// Returns the rows for which `Waiver::broken` holds.
  std::vector<const Waiver*> broken() const;

 private:
  std::vector<Waiver> rows_;
};

}  // namespace ersatz
