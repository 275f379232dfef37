#include "tools/explain/explained_call.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "fake/mode/fake_mode_state.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/literal.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/op_name.h"
#include "runtime/op/type_promotion.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_diff.h"
#include "runtime/tensor/meta_text.h"
#include "tools/explain/typed_arguments.h"
#include "tools/output/interrupt.h"
#include "tools/session/session.h"
#include "tools/size_coverage/region.h"

namespace ersatz::tools {

namespace {

constexpr size_t kMisfitsShown = 4;

/// Raised if the arguments cannot be parsed. The text is then wrong for every overload, so no other overload is tried.
struct Unreadable {
  explicit Unreadable(std::string m) : message(std::move(m)) {}
  std::string message;
};

/// Changes the metadata of tensor `number`. Tensors are numbered in the order of the call's text.
using Change = std::function<void(size_t number, TensorMeta& meta)>;

/// One call on one device, with a fake mode of its own.
struct Asked {
  explicit Asked(const std::shared_ptr<ShapeEnv>& env = nullptr) : mode(options(env)) {}
  static FakeOptions options(const std::shared_ptr<ShapeEnv>& env) {
    FakeOptions o;
    o.shape_env = env;
    return o;
  }
  FakeMode mode;
  std::vector<Value> args;
  std::vector<Tensor> tensors;  // tensors in the order of the call's text
  Answer answer;
  std::optional<Error> error;
};

class Asking {
 public:
  /// REQUIRES: `arguments` is the result of typed_arguments.
  Asking(const OpEntry& op, const std::string& arguments) : op_(op), arguments_(arguments) {
    LiteralOptions probe;
    probe.env = env_.get();
    probe.tensor = [](const MetaText&) { return Value(); };
    parsed_arguments(probe);
    if (env_->symbols().empty()) env_ = nullptr;  // without a ShapeEnv, results that depend on data raise
  }

  const std::shared_ptr<ShapeEnv>& env() const { return env_; }
  /// Parses the arguments, makes fakes for their tensors, and binds them to the schema. RAISES Error if they do not
  /// match the schema.
  void bind(Asked& asked, Device device, const Change& change) const {
    LiteralOptions literals;
    literals.env = env_.get();
    literals.tensor = [&](const MetaText& text) {
      if (!text.alias.empty())
        fail_argument("~{}: tensors of a call that is explained have their own storages", text.alias);
      TensorMeta meta = text.meta;
      if (meta.device.is_cpu()) meta.device = device;
      change(asked.tensors.size(), meta);
      asked.tensors.push_back(asked.mode.make(std::move(meta), text.storage_bytes));
      return Value(asked.tensors.back());
    };
    const ParsedArguments parsed = parsed_arguments(literals);
    asked.args = bind_arguments(op_.schema, parsed.positional, parsed.keywords);
  }

  void ask(Asked& asked, const AskedDevice& on, const Change& change) const {
    const ContextGuard guard([&](RuleContext& c) {
      c.backend = on.backend;
      if (!on.device.is_cpu()) c.default_device = on.device;
    });
    bind(asked, on.device, change);
    try {
      asked.mode.state().answer(op_, asked.args, asked.answer);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      asked.error = e;
    }
  }

  ExplainedAnswer explain(const AskedDevice& on) const {
    ExplainedAnswer explained;
    explained.devices = {on};
    Asked asked(env_);
    ask(asked, on, [](size_t, TensorMeta&) {});
    if (env_) explained.conditions = conditions();
    if (asked.error) {
      explained.error = asked.error->message;
      explained.needs_data =
          asked.error->kind == ErrorKind::DataDependentOutput || asked.error->kind == ErrorKind::DynamicOutputShape;
      return explained;
    }
    explained.source = name(asked.answer.source);
    const std::vector<std::string> labels = labels_of(asked);
    for (const uint16_t i : op_.written) {
      for_each_tensor(std::span<const Value>(asked.args).subspan(i, 1),
                      [&](TensorImpl* t) { explained.writes.push_back(label_of(asked, labels, t)); });
    }
    Values results;
    flatten(asked.answer.results, results);
    const auto& outputs = asked.answer.rule.outputs;
    for (size_t k = 0; k < results.size(); ++k) {
      ExplainedResult& r = explained.results.emplace_back();
      if (!results[k].is_tensor()) {
        r.meta = to_string(results[k]);
        continue;
      }
      const Tensor t = results[k].tensor();
      r.meta = to_string(t.meta());
      r.memory = memory_of(asked, labels, t);
      r.dtype = dtype_words(asked, labels, t.dtype());
      r.by_backend = (k < outputs.size() && outputs[k].unknown_layout) || asked.answer.unknown_body_layouts > 0;
      if (r.by_backend) {
        r.strides = "only a library on the device can tell: --backend says which GPU and libraries are meant";
      } else if (env_) {
        const bool plain = sym_eq(t.strides(), contiguous_strides(t.sizes()));
        r.strides = plain ? "row-major" : "not row-major for all sizes";
      } else {
        explain_strides(on, asked, labels, k, t, r);
      }
    }
    return explained;
  }

 private:
  std::vector<std::string> conditions() const {
    std::vector<std::string> list;
    for (const Guard& g : env_->asserts()) list.push_back("assert " + g.text);
    for (const Guard& g : independent(*env_, env_->assumptions())) list.push_back("assume " + g.text);
    return list;
  }
  ParsedArguments parsed_arguments(const LiteralOptions& literals) const {
    try {
      return parse_arguments(arguments_, literals);
    } catch (const Error& e) {
      if (e.kind != ErrorKind::InvalidArgument) throw;
      throw Unreadable(
          fmt::format("{}; tensors are written f32[2,3] or f32[2,3]{{1,2}}, dtypes i64 or bool, strings "
                      "\"floor\", devices cuda:0; else 2, 1.5, -inf, True, None, [1, 2], name=value",
                      e.message));
    }
  }
  /// Returns the schema's name for each tensor: `self`, `tensors[1]`.
  std::vector<std::string> labels_of(const Asked& asked) const {
    std::vector<std::string> labels(asked.tensors.size(), "?");
    for (size_t i = 0; i < asked.args.size(); ++i) {
      size_t item = 0;
      const std::string& formal = op_.schema.arguments[i].name;
      const bool list = asked.args[i].kind() == Value::Kind::List;
      for_each_tensor(std::span<const Value>(asked.args).subspan(i, 1), [&](TensorImpl* t) {
        for (size_t n = 0; n < asked.tensors.size(); ++n) {
          if (asked.tensors[n].impl() == t) labels[n] = list ? fmt::format("{}[{}]", formal, item) : formal;
        }
        ++item;
      });
    }
    return labels;
  }
  static std::string label_of(const Asked& asked, const std::vector<std::string>& labels, const TensorImpl* t) {
    for (size_t n = 0; n < asked.tensors.size(); ++n) {
      if (asked.tensors[n].impl() == t) return labels[n];
    }
    return "?";
  }

  static std::string memory_of(const Asked& asked, const std::vector<std::string>& labels, const Tensor& t) {
    for (size_t n = 0; n < asked.tensors.size(); ++n) {
      if (asked.tensors[n].is(t)) return labels[n] + " itself";
      if (asked.tensors[n].shares_storage(t)) return "a view of " + labels[n];
    }
    return "its own";
  }

  /// Returns the row-major and the column-major layout of these sizes, but leaves out a layout that equals `meta`.
  static std::vector<TensorMeta> other_layouts(const TensorMeta& meta) {
    TensorMeta row_major = meta;
    row_major.strides = contiguous_strides(meta.sizes);
    row_major.offset = 0;
    TensorMeta column_major = row_major;
    int64_t step = 1;
    for (size_t d = 0; d < meta.sizes.size(); ++d) {
      column_major.strides[d] = step;
      step *= std::max<int64_t>(meta.sizes[d].as_int(), 1);
    }
    std::vector<TensorMeta> others;
    if (!same_layout(meta, row_major)) others.push_back(row_major);
    if (!same_layout(meta, column_major)) others.push_back(std::move(column_major));
    return others;
  }

  static bool same_layout(const TensorMeta& a, const TensorMeta& b) {
    return !diff(a, b, {MetaField::DType, MetaField::Size, MetaField::Stride}).is_significant();
  }

  void explain_strides(const AskedDevice& on, const Asked& asked, const std::vector<std::string>& labels, size_t k,
                       const Tensor& t, ExplainedResult& r) const {
    TensorMeta row_major = t.meta();
    row_major.strides = contiguous_strides(row_major.sizes);
    const bool plain = same_layout(row_major, t.meta());
    if (t.numel().as_int() < 2 || t.dim() == 0) {
      r.strides = "none that matters: it has fewer than two elements";
      return;
    }
    size_t tried = 0;
    bool refused = false;
    for (size_t n = 0; n < asked.tensors.size(); ++n) {
      bool decides = false;
      for (const TensorMeta& other : other_layouts(asked.tensors[n].meta())) {
        ++tried;
        Asked again;
        ask(again, on, [&](size_t number, TensorMeta& meta) {
          if (number == n) meta = other;
        });
        refused |= again.error.has_value();
        decides |= again.error.has_value() || !same_result(again, k, t.meta());
      }
      if (decides) r.decided_by.push_back(labels[n]);
    }
    std::string list;
    for (const std::string& l : r.decided_by) list += (list.empty() ? "" : ", ") + l;
    if (!r.decided_by.empty()) {
      r.strides = fmt::format("{}: decided by {}: laid out otherwise, {}", plain ? "row-major" : "not row-major", list,
                              refused ? "the call is refused" : "the result is too");
    } else if (tried == 0) {
      r.strides = fmt::format("{}: no operand could be laid out otherwise", plain ? "row-major" : "not row-major");
    } else {
      r.strides = fmt::format("{}: no operand alone changes that", plain ? "row-major" : "not row-major");
    }
  }

  /// True if result k of the call has the layout of `meta`.
  static bool same_result(const Asked& asked, size_t k, const TensorMeta& meta) {
    Values results;
    flatten(asked.answer.results, results);
    return k < results.size() && results[k].is_tensor() && same_layout(results[k].tensor_impl()->meta, meta);
  }

  std::string dtype_words(const Asked& asked, const std::vector<std::string>& labels, DType result) const {
    ResultType promoted(rule_context().default_dtype);
    std::string operands;
    bool all_same = !asked.tensors.empty();
    for (size_t n = 0; n < asked.tensors.size(); ++n) {
      const TensorMeta& meta = asked.tensors[n].meta();
      promoted.add(meta);
      all_same = all_same && meta.dtype == result;
      operands += fmt::format("{}{} {}{}", n ? ", " : "", labels[n], name(meta.dtype), meta.dim() ? "" : " (no dims)");
    }
    for (size_t i = 0; i < asked.args.size(); ++i) {  // the dtype may come from a dtype argument
      if (asked.args[i].kind() == Value::Kind::DType && asked.args[i].as_dtype() == result) {
        return fmt::format("{}, as {} says", name(result), op_.schema.arguments[i].name);
      }
    }
    if (asked.tensors.empty()) return fmt::format("{}, from no tensor", name(result));
    if (all_same) return fmt::format("{}, as {}", name(result), asked.tensors.size() == 1 ? labels[0] : "its operands");
    if (promoted.result() == result) {
      return fmt::format("{}, promoted from {}: tensors with dims outrank those without, within a kind", name(result),
                         operands);
    }
    ResultType with_numbers = promoted;
    std::string numbers;
    for (size_t i = 0; i < asked.args.size(); ++i) {
      if (!asked.args[i].is_number()) continue;
      with_numbers.add(asked.args[i]);
      numbers += fmt::format(", {} {}", op_.schema.arguments[i].name, to_string(asked.args[i]));
    }
    if (!numbers.empty() && with_numbers.result() == result) {
      return fmt::format("{}, promoted from {}{}: a number decides only by its kind", name(result), operands, numbers);
    }
    return fmt::format("{}, which the op chooses (operands: {})", name(result), operands);
  }

  const OpEntry& op_;
  const std::string& arguments_;
  std::shared_ptr<ShapeEnv> env_ = std::make_shared<ShapeEnv>();  ///< null if no argument has a symbol
};

/// Returns how many tensor arguments got a number. An overload that declares these arguments as numbers matches the
/// text better.
int64_t numbers_for_tensors(const OpEntry& op, std::span<const Value> args) {
  int64_t count = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    count += args[i].is_number() && op.schema.arguments[i].type.base == BaseType::Tensor;
  }
  return count;
}

/// RAISES an error that says why no overload accepts the arguments. A reason that several overloads share is listed
/// once.
[[noreturn]] void fail_misfits(const std::string& name, const std::vector<std::pair<const OpEntry*, Error>>& misfits) {
  const auto same_reason = [&](const auto& m) { return m.second.message == misfits[0].second.message; };
  if (std::all_of(misfits.begin(), misfits.end(), same_reason)) throw misfits[0].second;
  std::string list;
  size_t shown = 0;
  for (const auto& [op, error] : misfits) {
    if (op->schema.overload.ends_with("out") || ++shown > kMisfitsShown) continue;
    list += fmt::format("{}{}: {}", list.empty() ? "" : "; ", op->name, error.message);
  }
  fail_argument("{}: no overload takes these arguments: {}", name, list);
}

/// True if the two answers are equal except for device names.
bool same_answer(const ExplainedAnswer& a, const ExplainedAnswer& b) {
  const auto anywhere = [](std::string text) {
    for (size_t at = text.find('@'); at != text.npos; at = text.find('@', at)) {
      size_t end = at + 1;
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == ':')) ++end;
      text.erase(at, end - at);
    }
    return text;
  };
  if (anywhere(a.error) != anywhere(b.error) || a.source != b.source || a.writes != b.writes ||
      a.conditions != b.conditions || a.results.size() != b.results.size()) {
    return false;
  }
  for (size_t k = 0; k < a.results.size(); ++k) {
    const ExplainedResult &x = a.results[k], &y = b.results[k];
    if (anywhere(x.meta) != anywhere(y.meta) || x.memory != y.memory || x.strides != y.strides || x.dtype != y.dtype) {
      return false;
    }
  }
  return true;
}

}  // namespace

ExplainedCall explain_call(const std::string& name, const std::string& arguments,
                           const std::vector<AskedDevice>& devices) {
  const TimedCall timed("ersatz::tools::explain_call", "run");
  ExplainedCall explained;
  const std::string typed = typed_arguments(arguments);
  std::vector<std::pair<const OpEntry*, Error>> misfits;
  int64_t converted = INT64_MAX;
  for (const OpEntry* op : ops_named(name)) {
    try {
      const Asking asking(*op, typed);
      Asked asked(asking.env());
      asking.bind(asked, kCPU, [](size_t, TensorMeta&) {});
      const int64_t numbers = numbers_for_tensors(*op, asked.args);
      const OpEntry* other = op;
      if (numbers < converted) {
        other = std::exchange(explained.op, op);
        explained.call = render_call(*op, asked.args);
        converted = numbers;
      }
      if (other) explained.others.push_back(other->name);
    } catch (const Unreadable& e) {
      fail_argument("{}", e.message);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      misfits.emplace_back(op, e);
    }
  }
  if (!explained.op) fail_misfits(name, misfits);
  for (const AskedDevice& on : devices) {
    if (interrupted() && !explained.answers.empty()) break;
    ExplainedAnswer answer = Asking(*explained.op, typed).explain(on);
    const auto same = std::find_if(explained.answers.begin(), explained.answers.end(),
                                   [&](const ExplainedAnswer& a) { return same_answer(a, answer); });
    if (same == explained.answers.end()) {
      explained.answers.push_back(std::move(answer));
    } else {
      same->devices.push_back(on);
    }
  }
  return explained;
}

}  // namespace ersatz::tools
