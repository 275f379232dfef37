// Parses the values of the graph JSON: enums, symbolic integers, tensor metadata.
#pragma once

#include "tracer/archive/json_stream.h"
#include "tracer/program/program.h"

namespace ersatz::pt2_json {

DType dtype(const JsonView& number);
Layout layout(const JsonView& number);
MemoryFormat memory_format(const JsonView& number);
/// Parses a device. `cuda` without an index stays without an index.
Device device(const JsonView& object);

/// Convert between dtypes, layouts and memory formats and the numbers that the graph JSON has for them.
int64_t dtype_number(DType t);
inline constexpr int64_t kStridedNumber = 7;
int64_t memory_format_number(MemoryFormat f);

/// Parses `as_int` or `as_expr`. If the expression is a single symbol, its hint is stored in `env`. If `env` is null,
/// expressions are refused.
SymInt sym_int(const JsonView& v, ShapeEnv* env);
/// Parses a TensorMeta, with the keys that only ersatz writes (docs/program-data.md). RAISES InvalidArgument if a size
/// is negative, the product of sizes overflows 64 bits, or the numbers of sizes and strides differ.
TensorMeta tensor_meta(const JsonView& v, ShapeEnv* env);
/// Returns the recorded value of a sym_int, sym_float or sym_bool. If the value is an expression and no integer,
/// returns its text.
Value sym_record(const JsonView& v, ValueKind kind, ShapeEnv& env);
/// Returns an expression in its printed form: `u0 >= 2` for `GreaterThan(Symbol('u0', ...), Integer(2))`. Text that is
/// no expression is returned unchanged.
std::string record_text(std::string_view srepr, ShapeEnv& env);

}  // namespace ersatz::pt2_json
