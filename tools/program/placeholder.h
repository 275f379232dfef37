// Placeholders for results that cannot be computed: `--keep-going` goes on from recorded metadata.
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

/// The size of a placeholder where the record has an expression over symbols, some of which have no value here.
enum class UnknownSizes : uint8_t {
  None,       ///< nothing: there is no placeholder
  AsRecorded  ///< the expression itself; in fakes and in numbers that follow them
};

/// One Value per result of the node, from what was recorded: fakes of `mode`, or zeroed real tensors where `mode` is
/// null; numbers at their hints. None where nothing usable was recorded.
/// What `facts` say of a flat result goes before its record.
Values placeholders(const NodeCall& call, const FakeMode* mode, const SymbolValues& symbols,
                    std::optional<Device> device, std::span<const ResultFacts> facts = {},
                    UnknownSizes unknown = UnknownSizes::None);

/// Does the call take a value of which nothing is known: an input that the program does not describe, or one of
/// `placeholders` (per value of the graph) that nothing recorded could fill? The call without it is another call.
bool takes_unknown(const NodeCall& call, const Interpreter& interpreter, const std::vector<bool>& placeholders);

/// Notes that a known op refused the node: a count by op, and the first errors, one line each.
void count_refusal(const NodeCall& call, const Error& e, std::map<std::string, int64_t>& refused,
                   std::vector<std::string>& refusals);

}  // namespace ersatz::tools
