// Runs one recorded call again with symbols for the sizes of its tensors. With the recorded sizes put in for the
// symbols, the result must equal the recorded one.
//
// Each size above 1 gets its own symbol, even if sizes are equal. Sizes 0 and 1 remain numbers. A stride that is the
// product of the sizes of the inner dims becomes an expression over the symbols. Other strides, storage offsets and
// arguments that are no tensors remain numbers. A backed symbol has the recorded size as hint. An unbacked symbol has
// no hint, like a size that depends on data.
#pragma once

#include <optional>

#include "fake/crosscheck/finding.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

enum class SymbolKind : uint8_t { Backed, Unbacked };
std::string_view name(SymbolKind k);  ///< `backed`, `unbacked`

/// Counts over calls that were run with symbolic sizes.
struct SymbolicCounts {
  int64_t calls = 0;
  int64_t results = 0;  ///< tensors and numbers that the calls returned
  /// Part of `results` that was compared with the record. A call that raises the recorded error counts as one result.
  int64_t compared = 0;
  int64_t mismatched = 0;  ///< of `compared`
  int64_t sizes = 0;       ///< sizes above 1 of the compared results, without those in `given`
  /// Result sizes that remain numbers and come from an argument, for example the size given to `view`.
  int64_t given = 0;
  int64_t kept = 0;     ///< of `sizes`: expressions over symbols even after the guards are applied
  int64_t symbols = 0;  ///< symbols that were made for sizes of the inputs
  int64_t pinned = 0;   ///< of `symbols`: the guards leave only one value
  int64_t guards = 0, asserts = 0, assumptions = 0;
  int64_t undecided = 0;    ///< calls that raise GuardOnDataDependent or a similar error
  int64_t guarded_out = 0;  ///< calls whose result is not used: an assumption in them is false at the recorded sizes
  void add(const SymbolicCounts& o);
};

struct SymbolicAnswer {
  SymbolicCounts counts;
  std::optional<Finding> finding;
  std::string undecided;  ///< text of the condition that the ranges of the symbols do not decide
};

/// Runs the call with symbols of the kind `kind` and compares it with the record. REQUIRES: the rules accept the call
/// with plain sizes.
SymbolicAnswer ask_with_symbols(const OpEntry& op, const CallRecord& record, SymbolKind kind);

}  // namespace ersatz::tools
