// Waivers: findings that are known and have a reason. Rows of a data file; one that matches nothing fails, as does one
// that has expired.
//
// A row is `op field until=DATE record=CHECKSUM reason...`, blanks between:
//   aten.foo.default stride until=2027-01-31 the library picks it (see deviations)
// The date is the last day on which the row counts; `until=never`, or none at all, counts for ever.
// `#` starts a comment line. `*` stands for any op or any field; a node's name (a recorded call's id) for that call.
// With `record` the row is about the recorded call whose line has that checksum: another file's call of the same id is
// another call; `value` is a kernel's refusal of values there, too, which a run without kernels does not see.
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
  std::optional<uint64_t> record;                    ///< the checksum of its recorded call; empty: any
  bool expired = false;                              ///< waives nothing any more
  bool known = false;                                ///< comes with the program, not from its user
  int64_t used = 0;
  int64_t passed = 0;  ///< of a known row: its call was run and needed no waiver

  /// Does the row fail the run, as a finding does? It has expired, or it waived nothing. A row that comes with the
  /// program (`known`) may waive nothing unless its call was run.
  bool broken() const { return expired || (used == 0 && (!known || passed > 0)); }
  /// The same row, whatever its uses.
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
/// `2027-01-31`; empty where the text is no day of the calendar.
std::optional<std::chrono::year_month_day> parse_date(std::string_view text);

class Waivers {
 public:
  Waivers() = default;
  /// Parses the text of a file; `name` is for messages. InvalidArgument with the line number where a row is wrong.
  static Waivers parse(std::string_view text, std::string_view name, std::chrono::year_month_day today = clock_date());

  /// Does a row waive the finding? The row counts it.
  bool waives(const Finding& f);
  bool waives(std::string_view op, std::string_view field);
  /// The same of the rows about the recorded call with that checksum.
  bool waives_record(const Finding& f, uint64_t checksum);
  /// Is there a row about a recorded call of that id?
  bool has_record(std::string_view id) const;
  /// The recorded call passed. `values`: values of it were compared.
  void record_passed(std::string_view id, uint64_t checksum, bool values);
  /// More rows, behind these. `known`: they come with the program.
  void append(const Waivers& more, bool known);
  const std::vector<Waiver>& rows() const { return rows_; }
  /// Adds the uses that other copies of these rows counted.
  void add_uses(const std::vector<Waiver>& rows);
  /// Rows that matched nothing so far, or have expired.
  std::vector<const Waiver*> broken() const;

 private:
  std::vector<Waiver> rows_;
};

}  // namespace ersatz
