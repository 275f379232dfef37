#include "tracer/records/record_print.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fake/mode/fake_mode.h"
#include "fake/watch/tensor_copies.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"
#include "runtime/op/copy.h"
#include "runtime/op/op_entry.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

using Line = nlohmann::ordered_json;  // JSON of a record or of a part of it

/// Returns a JSON number; for an infinity or NaN, a string.
Line number(double d) {
  if (std::isfinite(d)) return d;
  return std::isnan(d) ? "nan" : d < 0 ? "-inf" : "inf";
}

/// Returns the JSON of a number that is an argument. Infinity and NaN become objects, because a JSON string would be a
/// string argument.
Line special(double d) {
  if (std::isfinite(d)) return d;
  return std::isnan(d) ? Line{{"nan", 1}} : Line{{"inf", d < 0 ? -1 : 1}};
}

Line literal(const Value& v) {
  using Kind = Value::Kind;
  switch (v.kind()) {
    case Kind::Bool:
      return v.as_bool();
    case Kind::Int:
      return v.as_int64();
    case Kind::Float:
      return special(v.as_double());
    case Kind::Complex:
      return {{"complex", {special(v.as_complex().real()), special(v.as_complex().imag())}}};
    case Kind::String:
      return std::string(v.as_string());
    case Kind::DType:
      return {{"dtype", name(v.as_dtype())}};
    case Kind::Device:
      return {{"device", to_string(v.as_device())}};
    case Kind::Layout:
      return {{"layout", "strided"}};
    case Kind::MemoryFormat:
      return {{"memory_format", name(v.as_memory_format())}};
    case Kind::IntList: {
      Line items = Line::array();
      for (const SymInt i : v.as_ints()) items.push_back(i.guard_int());
      return items;
    }
    case Kind::List: {
      Line items = Line::array();
      for (const Value& item : v.as_list()) items.push_back(literal(item));
      return items;
    }
    default:
      return nullptr;  // None; a generator cannot be recorded
  }
}

/// Returns the elements in row-major order, converted to `wide`, the widest dtype of their kind.
template <class T>
std::vector<T> elements(const RecordedTensor& t, DType wide) {
  const Tensor rows = make_real_tensor(TensorMeta(t.meta.dtype, t.meta.sizes));
  std::copy(t.values.begin(), t.values.end(), rows.raw_data());
  const Tensor to = make_real_tensor(TensorMeta(wide, t.meta.sizes));
  copy_elements(to, rows);
  return {to.data<T>(), to.data<T>() + to.numel().as_int()};
}

Line values(const RecordedTensor& t) {
  Line list = Line::array();
  if (t.meta.dtype == DType::Bool) {
    for (const std::byte b : t.values) list.push_back(b != std::byte{0});
  } else if (is_complex(t.meta.dtype)) {
    for (const auto c : elements<std::complex<double>>(t, DType::C128)) {
      list.push_back({number(c.real()), number(c.imag())});
    }
  } else if (is_packed(t.meta.dtype)) {
    dispatch_dtype<kFloat4s>(t.meta.dtype, [&]<class T>() {
      for (const std::byte b : t.values) {
        const std::complex<double> pair = number_in(std::bit_cast<T>(b));
        list.push_back({number(pair.real()), number(pair.imag())});
      }
    });
  } else if (is_float(t.meta.dtype)) {
    for (const double d : elements<double>(t, DType::F64)) list.push_back(number(d));
  } else if (t.meta.dtype == DType::U64) {
    for (const uint64_t i : elements<uint64_t>(t, DType::U64)) list.push_back(i);
  } else {
    for (const int64_t i : elements<int64_t>(t, DType::I64)) list.push_back(i);
  }
  return list;
}

/// Returns the bytes of the elements as hexadecimal digits. They distinguish NaNs and signed zeros.
std::string hex(const RecordedTensor& t) {
  std::string digits;
  for (const std::byte b : t.values) digits += fmt::format("{:02x}", static_cast<unsigned>(b));
  return digits;
}

Line tensor(const RecordedTensor& t) {
  TensorMeta meta = t.meta;
  meta.conj = meta.neg = meta.requires_grad = false;  // conj and neg are separate keys of the record
  Line json = {{"t", to_string(meta)}, {"s", t.storage}, {"n", t.nbytes}};
  if (t.meta.conj) json["conj"] = true;
  if (t.meta.neg) json["neg"] = true;
  if (t.is >= 0) json["is"] = t.is;
  if (t.has_values) json["v"] = values(t);
  if (t.has_values && kLimitedDTypes.has(t.meta.dtype)) json["hex"] = hex(t);
  return json;
}

Line argument(const CallRecord& record, const RecordedArgument& a) {
  if (a.kind == RecordedArgument::Kind::Tensor) return tensor(record.tensors[static_cast<size_t>(a.tensor)]);
  if (a.kind == RecordedArgument::Kind::Literal) return literal(a.literal);
  Line items = Line::array();
  for (const RecordedArgument& item : a.items) items.push_back(argument(record, item));
  return items;
}

Line result(const RecordedResult& r) {
  if (r.kind == RecordedResult::Kind::Tensor) return tensor(r.tensor);
  return r.kind == RecordedResult::Kind::Number ? literal(r.number) : Line();
}

/// Adds an outcome to the JSON of a record: `out` and `after`, or `err`.
void add_outcome(const RecordedOutcome& outcome, Line& json) {
  if (!outcome.error.empty()) {
    json[outcome.refused ? "fake_err" : "err"] = outcome.error;
    if (!outcome.message.empty()) json["message"] = outcome.message;
    return;
  }
  Line& out = json["out"] = Line::array();
  for (const RecordedResult& r : outcome.results) out.push_back(result(r));
  for (const auto& [argument, t] : outcome.after) json["after"][std::to_string(argument)] = tensor(t);
}

/// Returns the metadata with each expression replaced by its value at the symbols' hints.
TensorMeta at_hints(const TensorMeta& meta) {
  const auto plain = [&](SymInt v) {
    const std::optional<int64_t> n = value_at_hints(v);
    if (!n)
      fail(ErrorKind::NotSupported, ErrorFamily::Runtime, "{} has no example: no record holds {}", to_string(v), meta);
    return SymInt(*n);
  };
  TensorMeta out = meta;
  for (SymInt& s : out.sizes) s = plain(s);
  for (SymInt& s : out.strides) s = plain(s);
  out.offset = plain(meta.offset);
  return out;
}

/// Collects the arguments of one call into a record.
class RecordedCall {
 public:
  RecordedCall(CallRecord& record, int64_t most_elements) : record_(record), most_elements_(most_elements) {}

  RecordedArgument argument(const Value& v) {
    RecordedArgument a;
    if (v.is_tensor()) {
      a.kind = RecordedArgument::Kind::Tensor;
      a.tensor = static_cast<int>(record_.tensors.size());
      record_.tensors.push_back(tensor(v.tensor()));
    } else if (v.kind() == Value::Kind::List) {
      a.kind = RecordedArgument::Kind::List;
      for (const Value& item : v.as_list()) a.items.push_back(argument(item));
    } else if (v.kind() == Value::Kind::IntList) {
      std::vector<Value> items;
      for (const SymInt i : v.as_ints()) items.push_back(number(Value(i)));
      a.literal = Value::packed(items);
    } else {
      a.literal = number(v);
    }
    return a;
  }

 private:
  static Value number(const Value& v) {
    if (!v.is_symbolic_int()) return v;
    const std::optional<int64_t> n = value_at_hints(v.as_int());
    if (!n) fail(ErrorKind::NotSupported, ErrorFamily::Runtime, "{} has no example: no record holds it", to_string(v));
    return Value(*n);
  }

  RecordedTensor tensor(const Tensor& t) {
    const Tensor real = t.is_fake() ? real_value(t) : t;
    RecordedTensor r;
    r.meta = at_hints(t.meta());
    for (size_t k = 0; k < seen_.size() && r.is < 0; ++k) {
      if (seen_[k].is(t)) r.is = static_cast<int>(k);
    }
    seen_.push_back(t);
    const auto at = std::find(storages_.begin(), storages_.end(), t.storage().get());
    r.storage = at - storages_.begin();
    if (at == storages_.end()) storages_.push_back(t.storage().get());
    const std::optional<int64_t> bytes = value_at_hints(t.storage()->nbytes());
    r.nbytes = std::max(bytes.value_or(0), storage_bytes_needed(r.meta).as_int());
    if (!real || real.device().is_meta() || r.meta.numel().as_int() > most_elements_) return r;
    keep_elements(real, r);
    return r;
  }

  CallRecord& record_;
  const int64_t most_elements_;
  std::vector<Tensor> seen_;
  std::vector<const Storage*> storages_;
};

}  // namespace

void keep_elements(const Tensor& real, RecordedTensor& to) {
  const Tensor rows = make_real_tensor(TensorMeta(real.dtype(), real.sizes()));
  copy_elements(rows, on_host(real));
  const auto n = static_cast<size_t>(rows.numel().as_int() * item_size(rows.dtype()));
  to.values.assign(rows.raw_data(), rows.raw_data() + n);
  to.has_values = true;
}

std::string print_call_record(const CallRecord& record) {
  Line json = {{"id", record.id}, {"op", record.op}};
  Line& args = json["args"] = Line::array();
  Line& kwargs = json["kwargs"] = Line::object();
  for (const RecordedArgument& a : record.args) {
    if (a.name.empty()) {
      args.push_back(argument(record, a));
    } else {
      kwargs[a.name] = argument(record, a);
    }
  }
  add_outcome(record.outcome, json);
  if (record.fake) add_outcome(*record.fake, json["fake"]);
  if (!record.schema.empty()) json["schema"] = record.schema;
  for (const RecordedBytes& b : record.unwritten)
    json["unwritten"][std::to_string(b.argument)] = {{"untouched", b.untouched}, {"of", b.of}};
  for (const auto& [result, dims] : record.unknown) json["unknown"][std::to_string(result)] = dims;
  Line tags = Line::array();
  if (record.random) tags.push_back("random");
  if (record.uninit) tags.push_back("uninit");
  if (!tags.empty()) json["tags"] = tags;
  if (!record.at.empty()) json["at"] = record.at;
  if (record.torch) json["torch"] = to_string(*record.torch);
  if (const auto& g = record.group)
    json["group"] = {{"name", g->name}, {"size", g->size}, {"rank", g->rank}, {"backend", g->backend}};
  return json.dump(-1, ' ', false, Line::error_handler_t::replace);
}

CallRecord record_arguments(const OpEntry& op, std::span<const Value> args, int64_t most_elements) {
  CallRecord record;
  record.op = op.name;
  record.random = op.tags.has(Tag::Random);
  RecordedCall call(record, most_elements);
  const std::vector<Argument>& schema = op.schema.arguments;
  for (size_t i = 0; i < std::min(schema.size(), args.size()); ++i) {
    if (schema[i].keyword_only && schema[i].default_value && args[i] == *schema[i].default_value) continue;
    RecordedArgument a = call.argument(args[i]);
    if (schema[i].keyword_only) a.name = schema[i].name;
    record.args.push_back(std::move(a));
  }
  return record;
}

}  // namespace ersatz
