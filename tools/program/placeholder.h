// Placeholders replace results that cannot be computed. With `--keep-going` a run goes on with them; they have the
// recorded metadata.
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

/// The placeholder's size if the recorded size has symbols without a value.
enum class UnknownSizes : uint8_t {
  None,       ///< no placeholder is made
  AsRecorded  ///< the recorded expression; only for fakes and numbers
};

/// Returns one Value for each result of the node, made from its record: fakes of `mode`, or zeroed real tensors if
/// `mode` is null. Symbolic numbers get their hints. A Value is None if nothing usable was recorded. A fact in `facts`
/// has precedence over the record.
Values placeholders(const NodeCall& call, const FakeMode* mode, const SymbolValues& symbols,
                    std::optional<Device> device, std::span<const ResultFacts> facts = {},
                    UnknownSizes unknown = UnknownSizes::None);

/// True if the call reads a value that is not known. This is an input without metadata, or a value that `placeholders`
/// marks and for which no placeholder could be made. The call cannot be made without that value.
bool takes_unknown(const NodeCall& call, const Interpreter& interpreter, const std::vector<bool>& placeholders);

/// Counts a node that its operator refused, by operator. Keeps the first errors, one line each.
void count_refusal(const NodeCall& call, const Error& e, std::map<std::string, int64_t>& refused,
                   std::vector<std::string>& refusals);

}  // namespace ersatz::tools
