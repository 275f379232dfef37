#include "tools/explain/explained_call.h"

#include <algorithm>
#include <functional>

#include "fake/mode/fake_mode.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/literal.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/op_name.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::tools {

namespace {

/// Changes the metadata of the tensor of that number, in order of the text.
using Change = std::function<void(size_t number, TensorMeta& meta)>;

/// The call on one device, as fakes of a mode of its own.
struct Asked {
  FakeMode mode;
  std::vector<Value> args;
  std::vector<Tensor> tensors;  // in order of the text
  Answer answer;
  std::optional<Error> error;
};

class Asking {
 public:
  Asking(const OpEntry& op, const std::string& arguments) : op_(op), arguments_(arguments) {}

  /// The arguments as fakes. Raises where they are no call of the operator.
  void bind(Asked& asked, Device device, const Change& change) const {
    LiteralOptions literals;
    literals.tensor = [&](const MetaText& text) {
      if (!text.alias.empty())
        fail_argument("~{}: tensors of a call that is explained have their own storages", text.alias);
      TensorMeta meta = text.meta;
      if (meta.device.is_cpu()) meta.device = device;
      change(asked.tensors.size(), meta);
      asked.tensors.push_back(asked.mode.make(std::move(meta), text.storage_bytes));
      return Value(asked.tensors.back());
    };
    const ParsedArguments parsed = parse_arguments(arguments_, literals);
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
    Asked asked;
    ask(asked, on, [](size_t, TensorMeta&) {});
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
      const bool unknown = (k < outputs.size() && outputs[k].unknown_layout) || asked.answer.layouts_untold > 0;
      if (unknown) {
        r.strides = "only a library on the device can tell: --backend says which GPU and libraries are meant";
      } else {
        explain_strides(on, asked, labels, k, t, r);
      }
    }
    return explained;
  }

 private:
  /// `self`, `tensors[1]`: what the schema calls each tensor.
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

  /// Another dense layout of the same sizes; false where there is none that differs in a stride that matters.
  static bool lay_out_otherwise(TensorMeta& meta) {
    const TensorMeta before = meta;
    meta.strides = contiguous_strides(meta.sizes);
    meta.offset = 0;
    if (!same_layout(before, meta)) return true;
    int64_t step = 1;
    for (size_t d = 0; d < meta.sizes.size(); ++d) {
      meta.strides[d] = step;
      step *= std::max<int64_t>(meta.sizes[d].as_int(), 1);
    }
    return !same_layout(before, meta);
  }

  static bool same_layout(const TensorMeta& a, const TensorMeta& b) {
    const MetaDifference d = same_metadata(a, b);
    return d.verdict != MetaVerdict::Significant || d.field == MetaField::Offset;
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
      TensorMeta other = asked.tensors[n].meta();
      if (!lay_out_otherwise(other)) continue;
      ++tried;
      Asked again;
      ask(again, on, [&](size_t number, TensorMeta& meta) {
        if (number == n) meta = other;
      });
      bool decides = again.error.has_value();
      refused |= decides;
      if (!decides) {
        Values results;
        flatten(again.answer.results, results);
        decides =
            k >= results.size() || !results[k].is_tensor() || !same_layout(results[k].tensor_impl()->meta, t.meta());
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
    for (size_t i = 0; i < asked.args.size(); ++i) {  // the schema says which dtype is asked for
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
};

/// Do two answers differ in nothing but the device?
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
      a.results.size() != b.results.size()) {
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
  ExplainedCall explained;
  std::optional<Error> misfit;
  for (const OpEntry* op : ops_named(name)) {
    try {
      Asked asked;
      Asking(*op, arguments).bind(asked, kCPU, [](size_t, TensorMeta&) {});
      if (explained.op) {
        explained.others.push_back(op->name);
        continue;
      }
      explained.op = op;
      explained.call = render_call(*op, asked.args);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      if (!misfit) misfit = e;
    }
  }
  if (!explained.op) throw *misfit;
  for (const AskedDevice& on : devices) {
    ExplainedAnswer answer = Asking(*explained.op, arguments).explain(on);
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
