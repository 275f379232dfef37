// Asks one recorded call again with symbols for the sizes of its tensors. At the recorded sizes, the answer must be the
// recorded one.
//
// Each size above 1 has its own symbol, even if sizes are equal; 0 and 1 remain numbers. A stride that is the product
// of the sizes of the inner dims is an expression over those symbols. Other strides, storage offsets and arguments that
// are no tensors remain numbers. Backed symbols have the recorded size as hint. Unbacked symbols have none, like sizes
// that depend on data.
#pragma once

#include <optional>

#include "fake/crosscheck/finding.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

enum class SymbolKind : uint8_t { Backed, Unbacked };
std::string_view name(SymbolKind k);  ///< `backed`, `unbacked`

/// Counts of calls. Each member is a sum over calls.
struct SymbolicCounts {
  int64_t calls = 0;
  int64_t results = 0;     ///< tensors and numbers of calls that were answered
  int64_t compared = 0;    ///< of `results`; an error that equals the record's error counts as one
  int64_t mismatched = 0;  ///< of `compared`
  int64_t sizes = 0;       ///< sizes above 1 of the compared results, except `given`
  int64_t given = 0;       ///< sizes that arguments give, as numbers that no symbol was pinned to
  int64_t kept = 0;        ///< of `sizes`: expressions over symbols after all decisions
  int64_t symbols = 0;     ///< of the inputs
  int64_t pinned = 0;      ///< of `symbols`: the decisions leave only one value
  int64_t guards = 0, asserts = 0, assumptions = 0;
  int64_t undecided = 0;  ///< calls that raise GuardOnDataDependent or a similar error
  int64_t guarded_out =
      0;  ///< calls with an assumption that is false at the recorded sizes, so their answer is not used
  void add(const SymbolicCounts& o);
};

struct SymbolicAnswer {
  SymbolicCounts counts;
  std::optional<Finding> finding;
  std::string undecided;  ///< text of the condition that could not be decided
};

/// REQUIRES: a record that the rules pass with numbers.
SymbolicAnswer ask_with_symbols(const OpEntry& op, const CallRecord& record, SymbolKind kind);

}  // namespace ersatz::tools
