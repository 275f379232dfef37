// Parts of the graph JSON that are values: enums, symbolic integers, tensor metadata.
#pragma once

#include "tracer/archive/json_stream.h"
#include "tracer/program/program.h"

namespace ersatz::pt2_json {

DType dtype(const JsonView& number);
Layout layout(const JsonView& number);
MemoryFormat memory_format(const JsonView& number);
/// `cuda` without an index stays unresolved.
Device device(const JsonView& object);

/// The format's numbers of them, and back.
int64_t dtype_number(DType t);
inline constexpr int64_t kStridedNumber = 7;
int64_t memory_format_number(MemoryFormat f);

/// `as_int` or `as_expr`; hints of bare symbols go to the environment. `env` may be null: then expressions are refused.
SymInt sym_int(const JsonView& v, ShapeEnv* env);
/// A whole TensorMeta and our own keys beside it (docs/program-data.md), its sizes checked: not negative, product
/// within 64 bits, as many strides as sizes.
TensorMeta tensor_meta(const JsonView& v, ShapeEnv* env);
/// The recorded value of a sym_int, sym_float or sym_bool, boxed; an expression that is no integer as its text.
Value sym_record(const JsonView& v, ValueKind kind, ShapeEnv& env);
/// `GreaterThan(Symbol('u0', ...), Integer(2))` as people write it, `u0 >= 2`; other expressions in their printed form,
/// and any other text as it is.
std::string record_text(std::string_view srepr, ShapeEnv& env);

}  // namespace ersatz::pt2_json
