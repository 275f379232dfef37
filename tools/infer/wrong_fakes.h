// Operators about which the recorder's own fakes were wrong: what they predicted against what the recorder's run did.
//
// That is no finding about ersatz, and changes no verdict. It is for who relies on those fakes: a program that is
// traced or compiled with them has the same error.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "fake/crosscheck/finding.h"
#include "tools/output/document.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

class WrongFakes {
 public:
  struct Key {
    std::string op;
    int result = -1;  ///< flat; -1: the call as a whole, or an argument
    FindingField field = FindingField::Size;
    auto operator<=>(const Key&) const = default;
  };
  struct Row {
    int64_t calls = 0;
    std::string fake, run;  ///< both sides of the first call
    std::string id, at;     ///< its record, and its line in the user's program; empty: not recorded
  };

  /// Looks at one record. A call of which the recorder has no kernel or no prediction says nothing.
  void add(const CallRecord& record);
  void add(const WrongFakes& later);
  const std::map<Key, Row>& rows() const { return rows_; }
  int64_t operators() const;

 private:
  std::map<Key, Row> rows_;  // as many as there are operators, bounded by kMostRows
};

/// A line a row, under a line that says how many operators there are; no lines where there are none. `whole`: all of
/// them. The key `wrong_fakes` has all of them:
/// `[{"op":..,"result":..,"field":..,"fake":..,"run":..,"calls":..,"id":..,"at":..}, ..]`
Document wrong_fakes_report(const WrongFakes& fakes, bool whole);

}  // namespace ersatz::tools
