// Waivers: known findings with a reason, in rows of a data file. A row that matches nothing, or has expired, fails the
// run.
//
// A row is `op field until=DATE record=CHECKSUM reason...`, blanks between:
//   aten.foo.default stride until=2027-01-31 the library picks it (see deviations)
// The date is the last day on which the row counts; `until=never`, or none at all, counts for ever.
// `#` starts a comment line. `*` matches any op or any field. In place of an op, a node's name (a recorded call's id)
// matches that call. With `record`, the row is only about the recorded call whose line has that checksum; another file
// may have another call of that id. With `record`, field `value` also matches a kernel's refusal of values, which a run
// without kernels does not see.
#pragma once

#include <chrono>
#include <optional>

#include "fake/crosscheck/finding.h"

namespace ersatz {

struct Waiver {
  std::string op;
  std::string field;
  std::string reason;
  std::optional<std::chrono::year_month_day> until;  ///< the last day; empty: never expires
  std::optional<uint64_t> record;                    ///< the checksum of the recorded call; empty: any call
  bool expired = false;                              ///< the date has passed; the row waives nothing
  bool known = false;                                ///< compiled into the program, not from the user
  int64_t used = 0;
  int64_t passed = 0;  ///< for a known row: runs of its call that needed no waiver

  /// Whether the row fails the run as a finding does: it has expired or waived nothing. A `known` row that waived
  /// nothing fails only if its call was run.
  bool broken() const { return expired || (used == 0 && (!known || passed > 0)); }
  /// Whether both rows are equal, apart from their counts.
  bool same_as(const Waiver& other) const;
};
/// `applied`, `unused`, `expired`.
std::string_view state(const Waiver& row);
/// `2027-01-31`, `never`.
std::string until_text(const Waiver& row);
/// `aten.foo.default stride until 2027-01-31, used 2 times: the library picks it`.
std::string to_string(const Waiver& row);
/// Identifies a recorded call: FNV-1a of its line without the end of line.
uint64_t record_checksum(std::string_view line);

/// Today, in UTC.
std::chrono::year_month_day clock_date();
/// Parses `2027-01-31`. Returns nullopt if the text is no day of the calendar.
std::optional<std::chrono::year_month_day> parse_date(std::string_view text);

class Waivers {
 public:
  Waivers() = default;
  /// Parses the text of a file; `name` is for messages. RAISES: InvalidArgument with the line number of a wrong row.
  static Waivers parse(std::string_view text, std::string_view name, std::chrono::year_month_day today = clock_date());

  /// Whether a row waives the finding. The first row that does counts the use.
  bool waives(const Finding& f);
  bool waives(std::string_view op, std::string_view field);
  /// Whether a row about the recorded call with that checksum waives the finding. The first one counts the use.
  bool waives_record(const Finding& f, uint64_t checksum);
  /// Returns whether a row names the recorded call with the id `id`.
  bool has_record(std::string_view id) const;
  /// Counts in its rows that the recorded call passed. `values`: its values were compared too.
  void record_passed(std::string_view id, uint64_t checksum, bool values);
  /// Appends copies of the rows of `more`. `known`: they are compiled into the program.
  void append(const Waivers& more, bool known);
  const std::vector<Waiver>& rows() const { return rows_; }
  /// Adds the `used` counts of equal rows in `rows`.
  void add_uses(const std::vector<Waiver>& rows);
  /// Returns the rows for which `Waiver::broken` holds.
  std::vector<const Waiver*> broken() const;

 private:
  std::vector<Waiver> rows_;
};

}  // namespace ersatz
