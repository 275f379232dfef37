#include "tracer/trace/sym_nodes.h"

#include "runtime/op/metadata_query.h"
#include "runtime/sym/sym_step.h"
#include "runtime/sym/sym_value.h"

namespace ersatz {

namespace {
SymInt word_of(const Value& number) {
  return number.kind() == Value::Kind::Float ? number.as_sym_float().word() : number.as_int();
}
}  // namespace

void SymNodes::note(SymInt v, const Place& place) {
  if (v.is_symbolic()) places_.try_emplace(v.word(), place);
}

void SymNodes::note_tensor(const TensorMeta& meta, ValueId value) {
  if (!meta.is_symbolic()) return;
  for (size_t d = 0; d < meta.sizes.size(); ++d)
    note(meta.sizes[d], {value, Place::Part::Size, static_cast<int64_t>(d)});
  for (size_t d = 0; d < meta.strides.size(); ++d)
    note(meta.strides[d], {value, Place::Part::Stride, static_cast<int64_t>(d)});
  note(meta.offset, {value, Place::Part::Offset});
  if (count_elements_) note(meta.numel(), {value, Place::Part::Count});
}

void SymNodes::note_number(const Value& number, ValueId value) {
  if (number.is_number() && number.is_symbolic()) values_.try_emplace(word_of(number).word(), value);
}

ValueId SymNodes::value_of(const Value& number) { return value_of(word_of(number)); }

Arg SymNodes::argument(const Value& number) {
  if (number.is_symbolic()) return {0, Arg::Kind::Value, value_of(number)};
  return writer_.program().add_literal(number);
}

ValueId SymNodes::value_of(SymInt v) {
  if (const auto known = values_.find(v.word()); known != values_.end()) return known->second;
  const auto place = places_.find(v.word());
  const ValueId value = place == places_.end() ? compute(v) : read(place->second, v);
  values_.emplace(v.word(), value);
  return value;
}

ValueId SymNodes::read(const Place& place, SymInt v) {
  constexpr MetadataQuery queries[] = {MetadataQuery::Size, MetadataQuery::Stride, MetadataQuery::Offset,
                                       MetadataQuery::Count};
  const OpEntry& op = querying_op(queries[static_cast<int>(place.part)]);
  std::vector<Arg> args{{0, Arg::Kind::Value, place.tensor}};
  if (place.part == Place::Part::Size || place.part == Place::Part::Stride)
    args.push_back(writer_.program().add_literal(Value(place.dim)));
  const Value result(v);
  return writer_.add(writer_.open(op, args), std::span(&result, 1))[0];
}

ValueId SymNodes::compute(SymInt v) {
  const SymStep step = step_of(v);
  if (step.kind == SymStep::Kind::Symbol) {
    fail(ErrorKind::TraceError, ErrorFamily::Runtime,
         "{} is not tracked with proxy for this trace: no input and no node of it has the symbol", step.name);
  }
  if (step.kind == SymStep::Kind::Unnamed) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
         "{} cannot be traced: no function on numbers is known for {}", to_string(v), step.name);
  }
  std::vector<Arg> args;
  for (const SymInt operand : step.operands) {
    const SymStep inner = step_of(operand);
    if (inner.kind == SymStep::Kind::Number) {
      args.push_back(writer_.program().add_literal(Value(inner.number)));
    } else if (operand.is_int()) {
      args.push_back(writer_.program().add_literal(Value(operand)));
    } else {
      args.push_back({0, Arg::Kind::Value, value_of(operand)});
    }
  }
  return add(step.name, args, v, step.is_float, step.is_truth);
}

ValueId SymNodes::add(std::string_view function, std::span<const Arg> args, SymInt v, bool is_float, bool is_truth) {
  const Value result = is_float ? Value::number(SymFloat::symbol(v)) : is_truth ? Value::truth(v) : Value(v);
  return writer_.add(writer_.open(function, args), std::span(&result, 1))[0];
}

}  // namespace ersatz
