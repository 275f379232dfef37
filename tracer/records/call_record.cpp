#include "tracer/records/call_record.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "runtime/base/one_line.h"
#include "runtime/base/other_devices.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/archive/json_stream.h"
#include "tracer/records/recorded_values.h"

namespace ersatz {
namespace {

constexpr int kMaxListDepth = 8;

/// Thrown with the reason why a valid record cannot be replayed here.
struct Unusable {
  std::string why;
};

std::optional<ErrorFamily> family_of(std::string_view error) {
  if (error == "IndexError") return ErrorFamily::Index;
  if (error == "TypeError") return ErrorFamily::Type;
  if (error == "ValueError") return ErrorFamily::Value;
  if (error == "RuntimeError") return ErrorFamily::Runtime;
  if (error == "NotImplementedError") return ErrorFamily::NotImplemented;
  // Operators written in Python raise other classes too: AssertionError, KeyError, Exception.
  if (error.ends_with("Error") || error.ends_with("Exception")) return ErrorFamily::Runtime;
  return std::nullopt;
}

class RecordParser {
 public:
  explicit RecordParser(CallRecord& record) : record_(record) {}

  /// Parses a record. `keywords` are in the order of the text, because tensors are numbered in that order.
  void parse(const JsonView& top, const std::vector<std::pair<std::string, Json>>& keywords) {
    read_format(top);
    record_.id = one_line(top.at("id").string());
    record_.op = top.at("op").string();
    if (const auto tags = top.find("tags")) read_tags(*tags);
    const JsonView args = top.at("args");
    for (size_t i = 0; i < args.size(); ++i) {
      about_ = fmt::format("argument {}", i);
      record_.args.push_back(argument(args.item(i), 0));
    }
    for (const auto& keyword : keywords) {
      const std::string& name = keyword.first;
      const JsonView::Tree tree{top.where(), "kwargs." + name, &keyword.second};
      const auto same = [&](const RecordedArgument& a) { return a.name == name; };
      if (name.empty() || std::any_of(record_.args.begin(), record_.args.end(), same)) {
        top.refuse("keyword argument '{}' stands there twice, or has no name", name);
      }
      about_ = "argument " + name;
      record_.args.push_back(argument(JsonView(tree), 0));
      record_.args.back().name = name;
    }
    join_storages(top);
    record_.gradients = parse_recorded_gradients(top);
    if (const auto died = top.find("died")) {
      record_.died = one_line(died->string());
      unusable("the call ended its process by " + record_.died);
      return;
    }
    record_.outcome = outcome(top, true);
    const auto fake = top.find("fake");
    record_.predicted = fake || record_.format < 2;
    if (fake && !(fake->is_string() && fake->string() == "out")) record_.fake = outcome(*fake, false);
    if (const auto fake = top.find("cuda_fake")) record_.cuda_fake = outcome(*fake, false);
    if (const auto bytes = top.find("bytes")) read_bytes(*bytes);
    if (const auto unwritten = top.find("unwritten")) read_unwritten(*unwritten);
    if (const auto unknown = top.find("unknown")) read_unknown(*unknown);
    const auto holds_values = [](const RecordedTensor& t) { return !t.values.empty(); };
    const bool valueless = std::none_of(record_.tensors.begin(), record_.tensors.end(), holds_values);
    // If both the sizes and whether the call raises depend on values, a run on other values is no evidence.
    record_.lacks_values |= record_.data_dependent && record_.value_dependent && valueless;
  }

 private:
  void read_format(const JsonView& top) {
    if (const auto format = top.find("format")) record_.format = format->integer();
    if (record_.format < 1) top.at("format").refuse("{} is no version of the format", record_.format);
    if (record_.format > kRecordFormat) {
      top.at("format").refuse(
          "written in format {}, this ersatz reads up to {}: update ersatz, or record again with its "
          "own ersatz.torch.record",
          record_.format, kRecordFormat);
    }
    if (const auto schema = top.find("schema")) record_.schema = schema->string();
    if (const auto variant = top.find("variant")) record_.variant = one_line(variant->string());
    if (const auto torch = top.find("torch")) {
      record_.torch = torch_version(torch->string());
      if (!record_.torch) torch->refuse("'{}' is no version of PyTorch", torch->string());
    }
    if (const auto at = top.find("at")) record_.at = one_line(at->string());
    if (const auto group = top.find("group")) read_group(*group);
    if (const auto lacks = top.find("lacks")) record_.lacks_values = lacks->string() == "values";
  }

  void read_group(const JsonView& group) {
    ProcessGroup& g = record_.group.emplace();
    g.name = one_line(group.at("name").string());
    g.size = group.at("size").integer();
    g.rank = group.at("rank").integer();
    if (const auto backend = group.find("backend")) g.backend = one_line(backend->string());
    if (g.size < 1 || g.rank < 0 || g.rank >= g.size)
      group.refuse("rank {} must be below the size, {}", g.rank, g.size);
  }

  void read_bytes(const JsonView& bytes) {
    bytes.each_member([&](const std::string& key, const JsonView& seen) {
      RecordedBytes& b = record_.bytes.emplace_back();
      b.argument = tensor_number(key, seen);
      if (const auto n = seen.find("untouched")) b.untouched = n->integer();
      if (const auto n = seen.find("of")) b.of = n->integer();
      if (const auto n = seen.find("beside")) b.beside = n->integer();
      if (const auto n = seen.find("filled")) b.filled = n->boolean();
      if (b.untouched < 0 || b.untouched > b.of || b.beside < 0) {
        seen.refuse("{} of {} elements untouched, {} bytes beside", b.untouched, b.of, b.beside);
      }
    });
  }

  void read_unwritten(const JsonView& unwritten) {
    unwritten.each_member([&](const std::string& key, const JsonView& seen) {
      RecordedBytes& b = record_.unwritten.emplace_back();
      b.argument = flat_number(key);
      b.untouched = seen.at("untouched").integer();
      b.of = seen.at("of").integer();
      if (b.argument < 0 || static_cast<size_t>(b.argument) >= record_.outcome.results.size())
        seen.refuse("there is no result '{}'", key);
      if (b.untouched < 0 || b.untouched > b.of) seen.refuse("{} of {} elements untouched", b.untouched, b.of);
    });
  }

  void read_unknown(const JsonView& unknown) {
    unknown.each_member([&](const std::string& key, const JsonView& dims) {
      const int result = flat_number(key);
      if (result < 0 || static_cast<size_t>(result) >= record_.outcome.results.size())
        dims.refuse("there is no result '{}'", key);
      auto& [_, known] = record_.unknown.emplace_back(result, std::vector<int64_t>());
      const size_t rank = record_.outcome.results[static_cast<size_t>(result)].tensor.meta.sizes.size();
      for (size_t i = 0; i < dims.size(); ++i) {
        known.push_back(dims.item(i).integer());
        if (known.back() < 0 || known.back() >= static_cast<int64_t>(rank))
          dims.refuse("result {} has no dim {}", key, known.back());
      }
    });
  }

  /// Returns the number that `key` spells; -1 if it spells none.
  static int flat_number(const std::string& key) {
    const bool digits = !key.empty() && key.size() < 6 && key.find_first_not_of("0123456789") == key.npos;
    return digits ? std::stoi(key) : -1;
  }

  /// Returns the number of the tensor argument that `key` names. RAISES if the call has no tensor argument of that
  /// number.
  int tensor_number(const std::string& key, const JsonView& v) const {
    const int number = flat_number(key);
    if (number < 0 || static_cast<size_t>(number) >= record_.tensors.size())
      v.refuse("there is no tensor argument '{}'", key);
    return number;
  }

  void read_tags(const JsonView& tags) {
    for (size_t i = 0; i < tags.size(); ++i) {
      const std::string_view tag = tags.item(i).string();
      record_.random |= tag == "random";
      record_.uninit |= tag == "uninit";
      record_.data_dependent |= tag == "data_dependent";
      record_.value_dependent |= tag == "value_dependent";
    }
  }

  /// Notes the first reason why the record cannot be replayed. Parsing goes on, so that the rest of the line is checked
  /// too.
  void unusable(std::string why) {
    if (!record_.unusable.empty()) return;
    record_.unusable = std::move(why);
    record_.unusable_of = about_;
  }

  RecordedArgument argument(const JsonView& v, int depth) {
    RecordedArgument a;
    if (v.is_array()) {
      if (depth >= kMaxListDepth) v.refuse("lists nest deeper than {}", kMaxListDepth);
      a.kind = RecordedArgument::Kind::List;
      for (size_t i = 0; i < v.size(); ++i) a.items.push_back(argument(v.item(i), depth + 1));
    } else if (v.is_object() && v.find("dict")) {
      // A dict is recorded as a list of pairs, because tensors are numbered in the order of the text.
      if (depth >= kMaxListDepth) v.refuse("lists nest deeper than {}", kMaxListDepth);
      a.kind = RecordedArgument::Kind::List;
      a.is_dict = true;
      const JsonView pairs = v.at("dict");
      for (size_t i = 0; i < pairs.size(); ++i) {
        if (pairs.item(i).size() != 2) pairs.refuse("a dict is pairs of a key and what it has");
        a.items.push_back(argument(pairs.item(i).item(1), depth + 1));
        a.items.back().name = one_line(pairs.item(i).item(0).string());
      }
    } else if (v.is_object() && v.find("t")) {
      a.kind = RecordedArgument::Kind::Tensor;
      a.tensor = static_cast<int>(record_.tensors.size());
      record_.tensors.push_back(tensor(v, true));
    } else {
      a.literal = literal(v);
    }
    return a;
  }

  Value literal(const JsonView& v) {
    if (v.is_null()) return Value();
    if (v.is_string()) return Value(v.string());
    const Json& json = v.json();
    if (json.is_boolean()) return Value(v.boolean());
    if (json.is_number_float()) return Value(v.number());
    // An unsigned number beyond the range of i64 becomes the i64 with equal bits.
    if (json.is_number_unsigned()) return Value(static_cast<int64_t>(v.unsigned_integer()));
    if (json.is_number()) return Value(v.integer());
    const auto [kind, payload] = v.tagged();
    if (kind == "inf") {
      return Value(payload.integer() < 0 ? -std::numeric_limits<double>::infinity()
                                         : std::numeric_limits<double>::infinity());
    }
    if (kind == "nan") return Value(std::numeric_limits<double>::quiet_NaN());
    if (kind == "complex") {
      if (payload.size() != 2) payload.refuse("a complex number is [re, im]");
      return Value(std::complex<double>(part(payload.item(0)), part(payload.item(1))));
    }
    if (kind == "opaque") {
      if (payload.size() != 2) payload.refuse("what cannot be held is [name, text]");
      unusable(std::string(payload.item(0).string()));
      payload.item(1).string();
      return Value();
    }
    const std::string text(payload.string());
    if (kind == "dtype") {
      if (const auto dtype = parse_dtype(text)) return Value(*dtype);
      unusable(fmt::format("dtype {}", text));
    } else if (kind == "layout") {
      if (text == "strided") return Value(Layout::Strided);
      unusable(fmt::format("layout {}", text));
    } else if (kind == "device") {
      if (const auto device = parse_device(text)) return Value(*device);
      unusable(fmt::format("device {}", text));
    } else if (kind == "memory_format") {
      if (const auto format = parse_memory_format(text)) return Value(*format);
      v.refuse("'{}' is no memory format", text);
    } else {
      v.refuse("'{}' is no kind of argument", kind);
    }
    return Value();
  }

  static double part(const JsonView& v) {
    if (!v.is_string() && !v.is_object()) return v.number();
    if (v.is_string()) {
      double d = 0;
      if (parse_special(v.string(), d)) return d;
      v.refuse("'{}' is no number", v.string());
    }
    const auto [kind, payload] = v.tagged();
    if (kind == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (kind != "inf") v.refuse("'{}' is no number", kind);
    return payload.integer() < 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }

  RecordedTensor tensor(const JsonView& v, bool real) {
    RecordedTensor t;
    const JsonView text = v.at("t");
    std::string spelled(text.string());
    const size_t end = std::min(spelled.find('['), spelled.size());
    // Older recorders wrote long names for some dtypes.
    if (const auto long_named = dtype_named(spelled.substr(0, end))) spelled.replace(0, end, name(*long_named));
    try {
      t.meta = parse_meta(spelled);
    } catch (const Error& e) {
      // If ersatz lacks the dtype, the record is valid but cannot be replayed.
      if (end == spelled.size() || end == 0 || parse_dtype(spelled.substr(0, end))) text.refuse("{}", e.message);
      unusable(fmt::format("dtype {}", spelled.substr(0, end)));
      t.meta = TensorMeta(DType::F32, {});
      return t;
    }
    if (real) record_.on_cuda |= t.meta.device.is_cuda() || is_other(t.meta.device);
    if (t.meta.sizes.size() > kMaxRecordRank)
      text.refuse("{} dimensions, the most are {}", t.meta.sizes.size(), kMaxRecordRank);
    t.storage = v.at("s").integer();
    const auto bytes_of = v.find("n");  // results in records with gradients have no "n"
    t.nbytes = bytes_of || !record_.gradients ? v.at("n").integer() : storage_bytes_needed(t.meta).as_int();
    if (real && t.nbytes < 0) v.refuse("a storage of {} bytes", t.nbytes);
    if (const auto is = v.find("is")) {
      const int64_t number = is->integer();
      if (number < 0 || static_cast<size_t>(number) >= record_.tensors.size())
        is->refuse("there is no tensor argument {}", number);
      t.is = static_cast<int>(number);
    }
    if (const auto conj = v.find("conj")) t.meta.conj = conj->boolean();
    if (const auto neg = v.find("neg")) t.meta.neg = neg->boolean();
    if (!real) return t;
    SymInt needed;
    try {
      needed = storage_bytes_needed(t.meta);
      // With stride 0 a small storage can have very many elements, and a kernel would visit each of them.
      if (t.meta.numel().as_int() > kMaxRecordElements) unusable("a tensor of very many elements");
    } catch (const Error& e) {
      text.refuse("{}", e.message);
    }
    if (needed.as_int() > t.nbytes) {
      text.refuse("its elements need {} bytes, the storage has {}", needed.as_int(), t.nbytes);
    }
    if (const auto bytes = v.find("hex")) {  // "hex" has precedence over "v"
      t.values = parse_bytes(*bytes, t.meta);
      t.has_values = true;
    } else if (const auto values = v.find("v")) {
      t.values = parse_values(*values, t.meta);
      t.has_values = true;
    }
    return t;
  }

  /// Gives tensors with equal storage numbers one storage of the largest recorded size. Their sizes may differ, because
  /// some tensors record only the bytes of their own elements. RAISES if the total is above the limit.
  void join_storages(const JsonView& top) {
    std::unordered_map<int64_t, int64_t> sizes;
    for (const RecordedTensor& t : record_.tensors) {
      int64_t& size = sizes[t.storage];
      size = std::max(size, t.nbytes);
    }
    int64_t total = 0;
    for (const auto& [storage, size] : sizes) {
      total += std::min(size, kMaxRecordStorage + 1);
      if (total > kMaxRecordStorage) top.refuse("the arguments take more than {} bytes", kMaxRecordStorage);
    }
    for (RecordedTensor& t : record_.tensors) t.nbytes = sizes[t.storage];
  }

  RecordedOutcome outcome(const JsonView& v, bool real) {
    RecordedOutcome o;
    if (const auto message = v.find("message")) o.message = message->string();
    if (const auto error = v.find("err")) {
      o.error = error->string();
      if (real && !family_of(o.error)) error->refuse("'{}' is no class of errors that a record has", o.error);
      return o;
    }
    if (const auto refusal = v.find("fake_err"); !real && refusal) {
      const std::string name(refusal->string());  // the message begins with the exception class
      if (!o.message.starts_with(name)) o.message = name + (o.message.empty() ? "" : ": ") + o.message;
      o.refused = true;
      return o;
    }
    const JsonView out = v.at("out");
    for (size_t i = 0; i < out.size(); ++i) {
      about_ = fmt::format("result {}", i);
      results(out.item(i), 0, real, o.results);
    }
    about_ = "an argument afterwards";
    if (const auto after = v.find("after")) {
      after->each_member([&](const std::string& key, const JsonView& t) {
        const int number = tensor_number(key, t);
        o.after.emplace_back(number, tensor(t, real));
      });
      std::sort(o.after.begin(), o.after.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    }
    return o;
  }

  void results(const JsonView& v, int depth, bool real, std::vector<RecordedResult>& to) {
    if (v.is_array()) {
      if (depth >= kMaxListDepth) v.refuse("lists nest deeper than {}", kMaxListDepth);
      for (size_t i = 0; i < v.size(); ++i) results(v.item(i), depth + 1, real, to);
      return;
    }
    RecordedResult& r = to.emplace_back();
    if (v.is_null()) return;
    if (v.is_object() && v.find("t")) {
      r.kind = RecordedResult::Kind::Tensor;
      r.tensor = tensor(v, real);
    } else {
      r.kind = RecordedResult::Kind::Number;
      r.number = literal(v);
    }
  }

  CallRecord& record_;
  std::string about_;  // the argument or result that is being parsed
};

/// Parses the outermost object up to the first key that tells the kind of file.
class TopKeys final : public nlohmann::json_sax<Json> {
 public:
  bool is_record = false;
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(Json::number_integer_t) override { return true; }
  bool number_unsigned(Json::number_unsigned_t) override { return true; }
  bool number_float(Json::number_float_t, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return false; }
  bool start_object(size_t) override { return ++depth_ < kJsonMaxDepth; }
  bool start_array(size_t) override { return depth_ > 0 && ++depth_ < kJsonMaxDepth; }
  bool end_object() override { return --depth_ > 0; }
  bool end_array() override { return --depth_ > 0; }
  bool key(std::string& k) override {
    if (depth_ != 1) return true;
    is_record = k == "op";
    return k != "op" && k != "graph_module";
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  int depth_ = 0;
};

}  // namespace

ErrorFamily RecordedOutcome::family() const {
  const auto family = family_of(error);
  ERSATZ_ASSERT(family, "'{}' is no class of errors that a record has", error);
  return *family;
}

CallRecord parse_call_record(std::string_view line, const std::string& where) {
  if (line.size() > kMaxRecordLine) fail_argument("{}: the line is longer than {} bytes", where, kMaxRecordLine);
  JsonStream stream(where);
  std::vector<std::pair<std::string, Json>> keywords;
  stream.take("kwargs",
              [&](const std::string&, std::string_view key, const Json& v) { keywords.emplace_back(key, v); });
  const Json json = stream.parse(line);
  const JsonView::Tree tree{where, "", &json};
  CallRecord record;
  RecordParser(record).parse(JsonView(tree), keywords);
  return record;
}

bool looks_like_call_records(std::string_view head) {
  TopKeys keys;
  Json::sax_parse(head.begin(), head.end(), &keys, Json::input_format_t::json, false);
  return keys.is_record;
}

std::vector<Tensor> make_recorded_tensors(const CallRecord& record) {
  std::unordered_map<int64_t, Ref<Storage>> storages;
  std::vector<Tensor> tensors;
  for (const RecordedTensor& t : record.tensors) {
    if (t.is >= 0) {  // one tensor is passed twice
      tensors.push_back(tensors[static_cast<size_t>(t.is)]);
      continue;
    }
    Ref<Storage>& storage = storages[t.storage];
    if (!storage) {
      storage = Storage::allocate(t.nbytes, kCPU);
      if (t.nbytes > 0) std::memset(storage->data(), 0, static_cast<size_t>(t.nbytes));
    }
    tensors.emplace_back(t.meta, storage);
    if (t.has_values) write_values(t.values, tensors.back());
  }
  return tensors;
}

Value argument_value(const RecordedArgument& argument, std::span<const Tensor> tensors) {
  switch (argument.kind) {
    case RecordedArgument::Kind::Literal:
      return argument.literal;
    case RecordedArgument::Kind::Tensor:
      return Value(tensors[static_cast<size_t>(argument.tensor)]);
    case RecordedArgument::Kind::List:
      break;
  }
  std::vector<Value> items;
  for (const RecordedArgument& item : argument.items) items.push_back(argument_value(item, tensors));
  return Value::packed(items);
}

std::vector<Value> bind_recorded(const FunctionSchema& schema, const CallRecord& record,
                                 std::span<const Tensor> tensors, std::optional<Device> device) {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;
  for (const RecordedArgument& a : record.args) {
    Value v = argument_value(a, tensors);
    if (device && v.kind() == Value::Kind::Device && v.as_device().is_cpu()) v = Value(*device);
    if (a.name.empty()) {
      positional.push_back(std::move(v));
    } else {
      keywords.emplace_back(a.name, std::move(v));
    }
  }
  return bind_arguments(schema, positional, keywords);
}

}  // namespace ersatz
