// Waivers: findings that are known and have a reason. Rows of a data file; one that matches nothing fails.
//
// A row is `op field reason...`, blanks between: `aten.foo.default stride the library picks it (see deviations)`.
// `#` starts a comment line. `*` stands for any op or any field.
#pragma once

#include "fake/finding.h"

namespace ersatz {

struct Waiver {
  std::string op;
  std::string field;
  std::string reason;
  int64_t used = 0;
};

class Waivers {
 public:
  Waivers() = default;
  /// Parses the text of a file; `name` is for messages. InvalidArgument with the line number where a row is wrong.
  static Waivers parse(std::string_view text, std::string_view name);

  /// Does a row waive the finding? The row counts it.
  bool waives(const Finding& f);
  bool waives(std::string_view op, std::string_view field);
  const std::vector<Waiver>& rows() const { return rows_; }
  /// Rows that matched nothing so far.
  std::vector<const Waiver*> unused() const;

 private:
  std::vector<Waiver> rows_;
};

}  // namespace ersatz
