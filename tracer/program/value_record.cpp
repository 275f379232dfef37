#include "tracer/program/value_record.h"

#include "runtime/sym/sym_value.h"

namespace ersatz {

ValueKind value_kind(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::Tensor:
      return ValueKind::Tensor;
    case Value::Kind::Int:
      return ValueKind::Int;
    case Value::Kind::Float:
      return ValueKind::Float;
    case Value::Kind::Bool:
      return ValueKind::Bool;
    default:
      return ValueKind::Object;
  }
}

void record_value(Program& program, GraphValue& value, const Value& v) {
  value.record = kNone;
  value.kind = value_kind(v);
  if (value.kind == ValueKind::Tensor) {
    value.record = program.add_meta(v.tensor_impl()->meta);
    return;
  }
  // The record of a float or bool expression is its text (tracer/program/graph.h).
  const bool in_words = v.kind() != Value::Kind::Int && v.is_symbolic();
  Value record = v;
  if (in_words && v.kind() == Value::Kind::Float) record = Value(v.as_sym_float().text());
  if (in_words && v.kind() == Value::Kind::Bool) record = Value(to_string(v.as_int()));
  if (!record.is_none()) value.record = program.add_literal(std::move(record)).index;
}

}  // namespace ersatz
