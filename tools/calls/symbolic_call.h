// One recorded call asked again with symbols for the sizes of its tensors: the answer has to be the recorded one where
// the symbols have the recorded sizes.
//
// Each size above 1 is a symbol of its own, equal sizes too; 0 and 1 stay numbers. A stride that is the product of the
// sizes of the dims inside of it, in the order of strides, is written over those symbols; other strides, storage
// offsets and arguments that are no tensors stay numbers. Backed symbols have the recorded size as hint. Unbacked ones
// have none and are like sizes that depend on data.
#pragma once

#include <optional>

#include "fake/crosscheck/finding.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

enum class SymbolKind : uint8_t { Backed, Unbacked };
std::string_view name(SymbolKind k);  ///< `backed`, `unbacked`

/// Counts of calls; sums add up.
struct SymbolicCounts {
  int64_t calls = 0;
  int64_t results = 0;     ///< tensors and numbers of calls that were answered
  int64_t compared = 0;    ///< of them; an error that is the record's error is one
  int64_t mismatched = 0;  ///< of them
  int64_t sizes = 0;       ///< above 1, of the compared results, but for those that arguments give
  int64_t given = 0;       ///< those: numbers that no symbol was pinned to
  int64_t kept = 0;        ///< of them: expressions over symbols, after what was decided
  int64_t symbols = 0;     ///< of the inputs
  int64_t pinned = 0;      ///< of them: what was decided leaves one number
  int64_t guards = 0, asserts = 0, assumptions = 0;
  int64_t undecided = 0;  ///< calls that no symbol decides: GuardOnDataDependent and its like
  int64_t guarded_out =
      0;  ///< calls of which an assumption does not hold at the recorded sizes: what they say is no answer
  void add(const SymbolicCounts& o);
};

struct SymbolicAnswer {
  SymbolicCounts counts;
  std::optional<Finding> finding;
  std::string undecided;  ///< what could not be decided, in words
};

/// REQUIRES: a record that the rules pass on numbers.
SymbolicAnswer ask_with_symbols(const OpEntry& op, const CallRecord& record, SymbolKind kind);

}  // namespace ersatz::tools
