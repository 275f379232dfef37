// Operators whose recorded fake predictions differ from the recorder's own run.
//
// That is no finding about ersatz and changes no verdict. It matters to users of these fakes: a program that is traced
// or compiled with them has the same error.
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
    std::string fake, run;  ///< prediction and run of the first call
    std::string id, at;     ///< id of its record, and its line in the user's program; empty if not recorded
  };

  /// Compares one record. A call without a kernel or without a prediction is ignored.
  void add(const CallRecord& record);
  void add(const WrongFakes& later);
  const std::map<Key, Row>& rows() const { return rows_; }
  int64_t operators() const;

 private:
  std::map<Key, Row> rows_;  // limited to kMostRows
};

/// A headline with the number of operators, then one line for each row; no lines if there are none. `whole`: without a
/// limit of lines. The key `wrong_fakes` has all rows:
/// `[{"op":..,"result":..,"field":..,"fake":..,"run":..,"calls":..,"id":..,"at":..}, ..]`
Document wrong_fakes_report(const WrongFakes& fakes, bool whole);

}  // namespace ersatz::tools
