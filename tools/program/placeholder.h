// Placeholders for results that cannot be computed: with `--keep-going` a run goes on with recorded metadata.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fake/crosscheck/witness.h"
#include "fake/mode/fake_mode.h"
#include "tracer/program/symbol_values.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

/// The size that a placeholder gets if the recorded expression has symbols without a value.
enum class UnknownSizes : uint8_t {
  None,       ///< there is no placeholder
  AsRecorded  ///< the expression itself; for fakes and numbers
};

/// One Value for each result of the node, from its record: fakes of `mode`, or zeroed real tensors if `mode` is null.
/// Symbolic numbers get their hints. None if nothing usable was recorded. A fact in `facts` overrules the record.
Values placeholders(const NodeCall& call, const FakeMode* mode, const SymbolValues& symbols,
                    std::optional<Device> device, std::span<const ResultFacts> facts = {},
                    UnknownSizes unknown = UnknownSizes::None);

/// True if the call takes an unknown value: an input without metadata, or one of `placeholders` (for each value of the
/// graph) without a record. Without that value it would be another call.
bool takes_unknown(const NodeCall& call, const Interpreter& interpreter, const std::vector<bool>& placeholders);

/// Counts a node that a known op refused, by op, and keeps the first errors, one line each.
void count_refusal(const NodeCall& call, const Error& e, std::map<std::string, int64_t>& refused,
                   std::vector<std::string>& refusals);

}  // namespace ersatz::tools
