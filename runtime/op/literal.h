// Argument literals: `2`, `2.0`, `True`, `None`, `inf`, `[1, 2]`, `"text"`, `f32`, `cuda:0`, `channels_last`, `(1+2j)`,
// and tensors by their metadata. The text form, samples and repros share this parser.
//
// Tensors are made by a callback, so that the same text gives real tensors, fakes or graph values. Hostile input:
// nesting and lengths are bounded, errors are InvalidArgument naming the position.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "runtime/op/value.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

struct LiteralOptions {
  ShapeEnv* env = nullptr;
  /// Makes the tensor for a metadata literal; without this function such literals are refused.
  std::function<Value(const MetaText&)> tensor;
  /// Returns the value called `%name`; without this function names are refused.
  std::function<Value(std::string_view)> value;
};

/// Parses a literal at text[position...] and moves position behind it.
Value parse_literal(std::string_view text, size_t& position, const LiteralOptions& options);

struct ParsedArguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;
};
/// `f32[2,3], 2, alpha=2.0`: positional first, then keywords.
ParsedArguments parse_arguments(std::string_view text, const LiteralOptions& options);

}  // namespace ersatz
