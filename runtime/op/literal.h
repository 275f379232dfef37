// Argument literals: `2`, `2.0`, `True`, `None`, `inf`, `[1, 2]`, `"text"`, `f32`, `cuda:0`, `channels_last`, `(1+2j)`,
// and tensors by their metadata. The text form, samples and repros share this parser.
//
// A callback makes the tensors, so one text can give real tensors, fake tensors or graph values. The input is not
// trusted: nesting and lengths are bounded, and each error is an InvalidArgument with the position.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "runtime/op/value.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

struct LiteralOptions {
  ShapeEnv* env = nullptr;
  /// Makes the tensor for a metadata literal (`f32[2,3]`). Null: a metadata literal is an error.
  std::function<Value(const MetaText&)> tensor;
  /// Returns the value of `%name`. Null: a name is an error.
  std::function<Value(std::string_view)> value;
};

/// Parses the literal that begins at text[position] and sets `position` to the literal's end.
Value parse_literal(std::string_view text, size_t& position, const LiteralOptions& options);

struct ParsedArguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;
};
/// Parses a text like `f32[2,3], 2, alpha=2.0`. Keyword arguments must follow the positional ones.
ParsedArguments parse_arguments(std::string_view text, const LiteralOptions& options);

}  // namespace ersatz
