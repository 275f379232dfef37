// Stand-ins for results that cannot be computed: `--keep-going` goes on from recorded metadata.
#pragma once

#include <optional>

#include "fake/fake_mode.h"
#include "fake/witness.h"
#include "tracer/interpreter.h"
#include "tracer/symbol_values.h"

namespace ersatz::tools {

/// One Value per result of the node, from what was recorded: fakes of `mode`, or zeroed real tensors where `mode` is
/// null; numbers at their hints. None where nothing usable was recorded.
/// What `facts` say of a flat result goes before its record.
Values placeholders(const NodeCall& call, const FakeMode* mode, const SymbolValues& symbols,
                    std::optional<Device> device, std::span<const ResultFacts> facts = {});

}  // namespace ersatz::tools
