// Operators whose recorded fake predictions differ from the recorder's own run.
//
// A wrong fake prediction is no finding about ersatz and changes no verdict. It matters to users of that fake kernel: a
// program that is traced or compiled with it has the same error.
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
    int result = -1;  ///< number of the flat result; -1: the whole call, or an argument
    FindingField field = FindingField::Size;
    auto operator<=>(const Key&) const = default;
  };
  struct Row {
    int64_t calls = 0;
    std::string fake, run;  ///< prediction and run of the first call that differs
    std::string id, at;     ///< id of that call's record, and its line in the user's program; empty if not recorded
  };

  /// Compares the prediction and the run of one record. A call without a kernel or without a prediction is ignored.
  void add(const CallRecord& record);
  void add(const WrongFakes& later);
  const std::map<Key, Row>& rows() const { return rows_; }
  int64_t operators() const;

 private:
  std::map<Key, Row> rows_;  // limited to kMostRows
};

/// A headline with the number of operators, then one line for each row; no lines if nothing was wrong. `whole`: without
/// a limit of lines. The JSON key `wrong_fakes` has all rows:
/// `[{"op":..,"result":..,"field":..,"fake":..,"run":..,"calls":..,"id":..,"at":..}, ..]`
Document wrong_fakes_report(const WrongFakes& fakes, bool whole);

}  // namespace ersatz::tools
