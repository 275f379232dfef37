// Parses the values of the graph JSON: enums, symbolic integers, tensor metadata.
#pragma once

#include "tracer/archive/json_stream.h"
#include "tracer/program/program.h"

namespace ersatz::pt2_json {

DType dtype(const JsonView& number);
Layout layout(const JsonView& number);
MemoryFormat memory_format(const JsonView& number);
/// A `cuda` without an index stays unresolved.
Device device(const JsonView& object);

/// The numbers that the format uses for dtypes, layouts and memory formats.
int64_t dtype_number(DType t);
inline constexpr int64_t kStridedNumber = 7;
int64_t memory_format_number(MemoryFormat f);

/// Parses `as_int` or `as_expr`. Hints of bare symbols go to `env`. With a null `env`, expressions are refused.
SymInt sym_int(const JsonView& v, ShapeEnv* env);
/// Parses a TensorMeta and ersatz's own keys (docs/program-data.md). Requires sizes that are not negative, a product
/// within 64 bits, and one stride per size.
TensorMeta tensor_meta(const JsonView& v, ShapeEnv* env);
/// Returns the recorded value of a sym_int, sym_float or sym_bool. An expression that is no integer is returned as its
/// text.
Value sym_record(const JsonView& v, ValueKind kind, ShapeEnv& env);
/// Returns `u0 >= 2` for `GreaterThan(Symbol('u0', ...), Integer(2))`, and other expressions in their printed form.
/// Other text is returned unchanged.
std::string record_text(std::string_view srepr, ShapeEnv& env);

}  // namespace ersatz::pt2_json
