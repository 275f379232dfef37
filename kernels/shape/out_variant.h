// `out=` forms that differ from the derived ones (runtime/derived.h): results that are cast, or resized row-major.
#pragma once

#include <optional>

#include "runtime/rule.h"

namespace ersatz {

/// What a resized `out=` argument gets: the strides that the op's own result would have, or row-major ones (ATen's
/// generated `out=` overloads resize first and copy then).
enum class OutLayout : bool { OfResult, RowMajor };

/// May `out` be an input, element by element? Ops that only copy allow it; ops that pick elements would read what they
/// wrote.
enum class OutMayBeInput : bool { No, Yes };

/// Answers argument `out` for a functional result. Refuses another device, two elements of `out` on one memory, and
/// inputs that share part of it. With `castable`, only a dtype that the result cannot be cast to is refused, as that
/// family; without, any other dtype.
void answer_out(RuleCall& call, const TensorMeta& result, size_t out, OutLayout layout,
                std::optional<ErrorFamily> castable = std::nullopt, OutMayBeInput shared = OutMayBeInput::Yes);

}  // namespace ersatz
