#include "tools/live/own_ops.h"

#include <algorithm>
#include <cstring>

#include "runtime/op/refused_names.h"
#include "runtime/plugin/codes.h"
#include "tools/program/missing_ops.h"
#include "tracer/records/record_outcome.h"
#include "tracer/records/record_print.h"

namespace ersatz::tools {
namespace {

/// The most predictions that are remembered, over all operators. When the limit is reached, all are forgotten.
constexpr size_t kMostPredictions = size_t(1) << 16;

OwnPrediction::Place place_of(const CallRecord& record, size_t result) {
  const std::vector<RecordedResult>& results = record.fake->results;
  OwnPrediction::Place place;
  place.is = results[result].tensor.is;
  const int64_t storage = results[result].tensor.storage;
  for (size_t i = record.tensors.size(); i-- > 0;) {
    if (record.tensors[i].storage == storage) place.argument = static_cast<int>(i);
  }
  for (size_t i = result; i-- > 0;) {
    if (results[i].kind == RecordedResult::Kind::Tensor && results[i].tensor.storage == storage)
      place.result = static_cast<int>(i);
  }
  return place;
}

OwnPrediction::Place place_of(const AskedCall& call, std::span<const ErsatzValue> results, size_t result) {
  const ErsatzTensorMeta& t = *results[result].as.meta;
  OwnPrediction::Place place;
  place.is = call.with_object(t.object);
  place.argument = call.with_storage(t.storage);
  for (size_t i = result; i-- > 0;) {
    if (results[i].kind == ERSATZ_TENSOR && results[i].as.meta->storage == t.storage)
      place.result = static_cast<int>(i);
  }
  return place;
}

RecordedResult::Kind kind_of(const ErsatzValue& v) {
  return v.kind == ERSATZ_TENSOR ? RecordedResult::Kind::Tensor
         : v.kind == ERSATZ_NONE ? RecordedResult::Kind::None
                                 : RecordedResult::Kind::Number;
}

template <class T>
void append(std::string& key, const T& value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  key.append(bytes, sizeof(T));
}

/// Returns the first TorchScript class in a schema, for example `__torch__.torch.classes.profiler._RecordFunction`;
/// empty if there is none.
std::string script_class_in(const std::string& schema) {
  const size_t begin = schema.find("__torch__.");
  if (begin == schema.npos) return {};
  return schema.substr(begin, schema.find_first_of(" ,)[]?(=", begin) - begin);
}

}  // namespace

OwnPrediction prediction_of(const OpEntry& op, const AskedCall& call, const LiveOutcome& outcome) {
  OwnPrediction p;
  p.outcome = record_of_call(op, call, outcome).outcome;
  for (size_t i = 0; i < outcome.results.size(); ++i) {
    const bool is_tensor = outcome.results[i].kind == ERSATZ_TENSOR;
    p.places.push_back(is_tensor ? place_of(call, outcome.results, i) : OwnPrediction::Place());
  }
  return p;
}

const OpEntry* OwnOps::entry(const std::string& name, const std::string& schema, std::string& why) {
  const auto [at, is_new] = by_name_.try_emplace(name);
  if (!is_new && at->second) return at->second;
  // ersatz refuses some operators of PyTorch by name (layouts of libraries, workspaces, some kinds of tensors). Their
  // fake kernels are not asked.
  if (is_pytorchs(name)) {
    why = refusal_by_name(name);
    if (!why.empty()) return nullptr;
  }
  OpEntry& op = entries_.emplace_back();
  try {
    op.name = name;
    op.schema = parse_schema(schema);
    op.tags = Tag::Foreign;
    for (size_t i = 0; i < op.schema.arguments.size(); ++i) {
      if (op.schema.arguments[i].is_write()) op.written.push_back(static_cast<uint16_t>(i));
    }
    ops_[&op].schema = schema;
    at->second = &op;
  } catch (const Error& e) {
    entries_.pop_back();
    const std::string script_class = script_class_in(schema);
    why = script_class.empty() ? fmt::format("its schema cannot be read here: {}", e.message) : "class " + script_class;
  }
  return at->second;
}

void OwnOps::make_key(std::span<const ErsatzValue> arguments, DType default_dtype) {
  key_.clear();
  seen_.clear();
  append(key_, default_dtype);
  for (const ErsatzValue& v : arguments) add_to_key(v);
}

void OwnOps::add_to_key(const ErsatzValue& v) {
  append(key_, v.kind);
  append(key_, v.length);
  if (v.kind == ERSATZ_TENSOR) {
    const ErsatzTensorMeta& t = *v.as.meta;
    uint32_t storage = 0, object = 0;
    while (storage < seen_.size() && seen_[storage].first != t.storage) ++storage;
    while (object < seen_.size() && seen_[object].second != t.object) ++object;
    seen_.emplace_back(t.storage, t.object);
    append(key_, t.dtype), append(key_, t.device), append(key_, t.ndim), append(key_, t.flags), append(key_, t.offset);
    append(key_, t.storage_bytes), append(key_, storage), append(key_, object);
    const auto n = static_cast<size_t>(t.ndim) * sizeof(int64_t);
    key_.append(reinterpret_cast<const char*>(t.sizes), n);
    key_.append(reinterpret_cast<const char*>(t.strides), n);
  } else if (v.kind == ERSATZ_LIST) {
    for (uint32_t i = 0; i < v.length; ++i) add_to_key(v.as.items[i]);
  } else if (v.kind == ERSATZ_INT_LIST) {
    key_.append(reinterpret_cast<const char*>(v.as.integers), v.length * sizeof(int64_t));
  } else if (v.kind == ERSATZ_STRING) {
    key_.append(v.as.string, v.length);
  } else {
    append(key_, v.as);
  }
}

const OwnPrediction& OwnOps::prediction(const OpEntry& op, const AskedCall& call,
                                        std::span<const ErsatzValue> arguments, DType default_dtype) {
  make_key(arguments, default_dtype);
  Own& own = ops_.at(&op);
  const auto at = own.predictions.find(key_);
  known_ = at != own.predictions.end();
  if (known_) return at->second;
  if (++remembered_ > kMostPredictions) {
    for (auto& [_, o] : ops_) o.predictions.clear();
    remembered_ = 1;
  }
  if (std::optional<OwnPrediction> p = ask_on_meta ? ask_on_meta(op, call) : std::nullopt)
    return own.predictions[key_] = *std::move(p);
  return own.predictions[key_] = predicted(op, record_of_call(op, call), false);
}

OwnPrediction OwnOps::asked_again(const OpEntry& op, CallRecord record) {
  OwnPrediction p = predicted(op, std::move(record), true);
  OwnPrediction& kept = ops_.at(&op).predictions[key_];
  if (!kept.by_data) kept = p;
  return p;
}

OwnPrediction OwnOps::predicted(const OpEntry& op, CallRecord record, bool has_returned) const {
  OwnPrediction p;
  p.is_final = has_returned;
  try {
    record.schema = ops_.at(&op).schema;
    FakeKernelAnswer answer =
        ask ? ask(print_call_record(record), has_returned) : FakeKernelAnswer{"", "nobody asks its fake kernel", false};
    p.why = std::move(answer.why);
    p.by_data = answer.by_data;
    if (answer.record.empty()) return p;
    const CallRecord said = parse_call_record(answer.record, "the answer of a fake kernel");
    const bool usable = said.unusable.empty();
    if (!usable) p.why = said.unusable;
    if (!said.fake || !usable) return p;
    if (said.fake->refused) return p.why = fmt::format("its fake raises {}", said.fake->error), p;
    p.outcome = said.fake;
    p.unknown = said.unknown;
    for (size_t i = 0; i < said.fake->results.size(); ++i) p.places.push_back(place_of(said, i));
  } catch (const Error& e) {
    p.outcome.reset();
    p.why = e.message;
  }
  return p;
}

bool as_predicted(const OwnPrediction& said, const AskedCall& call, std::span<const ErsatzValue> results,
                  std::span<const ErsatzTensorMeta* const> after, const std::function<bool(size_t)>& is_written) {
  if (!said.outcome || !said.outcome->error.empty() || said.outcome->results.size() != results.size()) return false;
  for (size_t i = 0; i < results.size(); ++i) {
    const RecordedResult& r = said.outcome->results[i];
    if (r.kind != kind_of(results[i])) return false;
    if (r.kind == RecordedResult::Kind::Number && !(r.number == value_from_c(results[i]))) return false;
    if (r.kind != RecordedResult::Kind::Tensor) continue;
    // The first call with a result that shares memory goes to judge_by_own_record, which tests whether the schema
    // allows the sharing.
    const OwnPrediction::Place is = place_of(call, results, i);
    if ((is.argument >= 0 && !said.may_share) || is != said.places[i] ||
        !same_meta(leaf_of(r.tensor), *results[i].as.meta))
      return false;
  }
  for (size_t i = 0; i < after.size(); ++i) {
    bool same = same_meta(argument_before(call, i), *after[i]);
    for (const auto& [k, t] : said.outcome->after) {
      if (static_cast<size_t>(k) == i) same = same_meta(leaf_of(t), *after[i]);
    }
    if (!same || call.tensor_meta(i).storage != after[i]->storage || is_written(i)) return false;
  }
  return true;
}

}  // namespace ersatz::tools
