#include <algorithm>

#include "fake/crosscheck/wide_copies.h"
#include "runtime/base/context.h"
#include "runtime/base/error.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/meta_text.h"
#include "tools/diff/alignment.h"
#include "tools/diff/difference.h"
#include "tools/diff/same_value.h"
#include "tools/output/interrupt.h"
#include "tracer/records/call_record.h"
#include "tracer/records/record_chunks.h"
#include "tracer/records/recorded_values.h"

namespace ersatz::tools {

namespace {

std::vector<CallRecord> load_records(const std::string& file) {
  std::vector<CallRecord> records;
  RecordChunks chunks({file});
  RecordChunk chunk;
  while (chunks.next(chunk)) {
    stop_if_interrupted("while recorded calls were read");
    chunk.each_line([&](std::string_view line, int64_t number) {
      records.push_back(parse_call_record(line, fmt::format("{}:{}", chunk.file, number)));
    });
  }
  return records;
}

class RecordDiff {
 public:
  RecordDiff(const CallRecord& a, const CallRecord& b, const RecordValues* values) : a_(a), b_(b), values_(values) {}

  std::vector<FieldDifference> run() {
    if (a_.op != b_.op) add("op", "", a_.op, b_.op);
    for (size_t i = 0; i < std::max(a_.args.size(), b_.args.size()); ++i) {
      const bool in_a = i < a_.args.size(), in_b = i < b_.args.size();
      const std::string which = in_a && !a_.args[i].name.empty() ? a_.args[i].name : std::to_string(i);
      if (in_a && in_b && a_.args[i].name == b_.args[i].name) {
        argument(a_.args[i], b_.args[i], which);
      } else {
        add("argument", which, in_a ? spelled(a_, a_.args[i]) : "absent", in_b ? spelled(b_, b_.args[i]) : "absent");
      }
    }
    arguments_differ_ = std::any_of(fields_.begin(), fields_.end(), is_value);
    if (values_ && values_->reference_f64) run_in_f64();
    outcome();
    begins_ = !arguments_differ_ && std::any_of(fields_.begin(), fields_.end(), is_value);
    return std::move(fields_);
  }

  /// True if result values of the calls differ although all argument values are equal. REQUIRES: `run` was called.
  bool begins() const { return begins_; }

  /// Returns a text that describes the call without values.
  static std::string content(const CallRecord& r) {
    std::string text;
    for (const RecordedArgument& a : r.args) text += spelled(r, a) + ", ";
    for (const RecordedResult& result : r.outcome.results) text += spelled(result) + "; ";
    return text + r.outcome.error;
  }

 private:
  void add(std::string field, std::string what, std::string a, std::string b) {
    fields_.push_back({std::move(field), std::move(what), std::move(a), std::move(b)});
  }

  static std::string spelled(const CallRecord& of, const RecordedArgument& a) {
    std::string text = a.name.empty() ? "" : a.name + "=";
    if (a.kind == RecordedArgument::Kind::Tensor)
      return text + to_string(of.tensors[static_cast<size_t>(a.tensor)].meta);
    if (a.kind == RecordedArgument::Kind::Literal) return text + to_string(a.literal);
    text += "[";
    for (const RecordedArgument& item : a.items) text += (&item == a.items.data() ? "" : ", ") + spelled(of, item);
    return text + "]";
  }

  static std::string spelled(const RecordedResult& r) {
    using Kind = RecordedResult::Kind;
    return r.kind == Kind::Tensor ? to_string(r.tensor.meta) : r.kind == Kind::Number ? to_string(r.number) : "None";
  }

  void argument(const RecordedArgument& x, const RecordedArgument& y, const std::string& which) {
    using Kind = RecordedArgument::Kind;
    if (x.kind == Kind::Tensor && y.kind == Kind::Tensor) {
      tensor(a_.tensors[static_cast<size_t>(x.tensor)], b_.tensors[static_cast<size_t>(y.tensor)], "argument " + which,
             true);
    } else if (x.kind == Kind::List && y.kind == Kind::List && x.items.size() == y.items.size()) {
      for (size_t i = 0; i < x.items.size(); ++i) argument(x.items[i], y.items[i], fmt::format("{}[{}]", which, i));
    } else if (x.kind != Kind::Literal || y.kind != Kind::Literal || !same_value(x.literal, y.literal)) {
      add("argument", which, spelled(a_, x), spelled(b_, y));
    }
  }

  static bool is_value(const FieldDifference& f) { return f.field == "value" || f.field == "number"; }

  void accuracy(const RecordedTensor& x, const RecordedTensor& y, const std::string& what, const Value& f64) {
    const Accuracy a =
        same(recorded_values(x, plain_meta(x)), recorded_values(y, plain_meta(y)), values_->accuracy, f64);
    for (const std::string& said : a.said) add("value", what, "", said);
  }
  /// The bits conj and neg have been applied to recorded values, so the metadata for these values have neither bit.
  static TensorMeta plain_meta(const RecordedTensor& t) { return TensorMeta(t.meta.dtype, t.meta.sizes); }

  /// Runs the first record's call in f64 for reference results. If the call cannot be made in f64, there are no
  /// reference results.
  void run_in_f64() {
    const OpEntry* op = registry().find(a_.op);
    if (!op || !a_.unusable.empty() || !a_.outcome.error.empty()) return;
    try {
      const std::vector<Value> args = bind_recorded(op->schema, a_, make_recorded_tensors(a_));
      const ContextGuard wide_factories([](RuleContext& c) { c.default_dtype = DType::F64; });
      Values results;
      dispatch(*op, WideCopies().of(args), results);
      flatten(std::span<const Value>(results), f64_);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
    }
  }

  void tensor(const RecordedTensor& x, const RecordedTensor& y, const std::string& what, bool values,
              const Value& f64 = {}) {
    std::vector<FieldDifference> found;
    add_meta_differences(x.meta, y.meta, what, found);
    const bool same_meta = found.empty();
    fields_.insert(fields_.end(), found.begin(), found.end());
    const Memory left = memory(a_, x), right = memory(b_, y);
    if (left != right) add("alias", what, left.text(), right.text());
    if (!values || !x.has_values || !y.has_values) return;
    if (values_) return accuracy(x, y, what, f64);
    if (!same_meta || x.values == y.values) return;
    const auto item = static_cast<size_t>(item_size(x.meta.dtype));
    const size_t n = std::min(x.values.size(), y.values.size());
    const size_t at = static_cast<size_t>(
        std::mismatch(x.values.begin(), x.values.begin() + static_cast<ptrdiff_t>(n), y.values.begin()).first -
        x.values.begin());
    add("value", what, fmt::format("element {}: {}", at / item, element(x, at / item)),
        fmt::format("element {}: {}", at / item, element(y, at / item)));
  }

  /// Returns the text of one element, by printing a 0-d tensor that has only this element.
  static std::string element(const RecordedTensor& t, size_t number) {
    const auto item = static_cast<size_t>(item_size(t.meta.dtype));
    if ((number + 1) * item > t.values.size()) return "none";
    Tensor one = make_real_tensor(TensorMeta(t.meta.dtype, DimVec{}));
    std::copy_n(t.values.data() + number * item, item, one.raw_data());
    const std::string text = to_string(one);  // for example Tensor(f32[]@cpu, 2)
    const size_t comma = text.rfind(", ");
    return comma == text.npos ? text : text.substr(comma + 2, text.size() - comma - 3);
  }

  /// The memory of a tensor. `argument`: the first tensor argument on the same storage; nullopt if there is none.
  /// `is_it`: the tensor is that argument itself.
  struct Memory {
    std::optional<size_t> argument;
    bool is_it = false;
    bool operator==(const Memory&) const = default;
    std::string text() const {
      return argument ? fmt::format("tensor argument {}{}", *argument, is_it ? " itself" : "'s") : "its own";
    }
  };
  static Memory memory(const CallRecord& of, const RecordedTensor& t) {
    for (size_t k = 0; k < of.tensors.size(); ++k) {
      if (&of.tensors[k] == &t) break;
      if (t.is == static_cast<int>(k)) return {k, true};
      if (of.tensors[k].storage == t.storage) return {k, false};
    }
    return {};
  }

  void outcome() {
    const RecordedOutcome &x = a_.outcome, &y = b_.outcome;
    const bool values = !(a_.random || b_.random || a_.uninit || b_.uninit);
    if (x.error != y.error) {
      return add("error", "", x.error.empty() ? "none" : x.error, y.error.empty() ? "none" : y.error);
    }
    if (x.results.size() != y.results.size()) {
      add("results", "", std::to_string(x.results.size()), std::to_string(y.results.size()));
    }
    for (size_t k = 0; k < std::min(x.results.size(), y.results.size()); ++k) {
      const RecordedResult &p = x.results[k], &q = y.results[k];
      const std::string what = fmt::format("result {}", k);
      using Kind = RecordedResult::Kind;
      if (p.kind == Kind::Tensor && q.kind == Kind::Tensor) {
        tensor(p.tensor, q.tensor, what, values, k < f64_.size() ? f64_[k] : Value());
      } else if (values_ && p.kind == Kind::Number && q.kind == Kind::Number) {
        for (const std::string& said : same(p.number, q.number, values_->accuracy).said) add("number", what, "", said);
      } else if (p.kind != q.kind) {
        add("kind", what, spelled(p), spelled(q));
      } else if (p.kind == Kind::Number && !same_value(p.number, q.number)) {
        add("number", what, spelled(p), spelled(q));
      }
    }
    for (size_t k = 0; k < std::max(a_.tensors.size(), b_.tensors.size()); ++k) {
      const RecordedTensor *p = changed(x, k), *q = changed(y, k);
      const std::string what = fmt::format("tensor argument {} afterwards", k);
      if (p && q) {
        tensor(*p, *q, what, values);
      } else if (p || q) {
        add("mutation", what, p ? "changed" : "unchanged", q ? "changed" : "unchanged");
      }
    }
  }
  static const RecordedTensor* changed(const RecordedOutcome& o, size_t argument) {
    for (const auto& [number, tensor] : o.after) {
      if (number == static_cast<int>(argument)) return &tensor;
    }
    return nullptr;
  }

  const CallRecord &a_, &b_;
  const RecordValues* values_;
  std::vector<Value> f64_;  // flat results of the first call in f64
  bool arguments_differ_ = false, begins_ = false;
  std::vector<FieldDifference> fields_;
};

}  // namespace

DiffSummary diff_records(const std::string& a, const std::string& b, const RecordValues* values) {
  const std::vector<CallRecord> x = load_records(a), y = load_records(b);
  DiffSummary sum;
  sum.unit = "call";
  sum.a = static_cast<int64_t>(x.size());
  sum.b = static_cast<int64_t>(y.size());
  const auto keys = [](const std::vector<CallRecord>& records) {
    std::vector<AlignmentKey> all;
    for (const CallRecord& r : records) all.push_back({r.op, RecordDiff::content(r)});
    return all;
  };
  const std::vector<AlignedPair> pairs = align(keys(x), keys(y));
  for (const AlignedPair& p : pairs) {
    if (interrupted()) {
      sum.left = static_cast<int64_t>(pairs.size()) - (&p - pairs.data());
      break;
    }
    const CallRecord& r = p.a >= 0 ? x[static_cast<size_t>(p.a)] : y[static_cast<size_t>(p.b)];
    if (p.a < 0 || p.b < 0) {
      sum.differences.push_back(
          {p.a >= 0 ? Difference::Kind::Removed : Difference::Kind::Added, "call", r.id, "", r.op, "", {}});
      continue;
    }
    const CallRecord& other = y[static_cast<size_t>(p.b)];
    RecordDiff diff(r, other, values);
    std::vector<FieldDifference> fields = diff.run();
    if (diff.begins() && sum.begins.empty()) sum.begins = fmt::format("{} ({})", r.id, r.op);
    if (fields.empty()) {
      ++sum.same;
      sum.renamed += r.id != other.id;
    } else {
      sum.differences.push_back(
          {Difference::Kind::Changed, "call", r.id, r.id == other.id ? "" : other.id, r.op, "", std::move(fields)});
    }
  }
  return sum;
}

}  // namespace ersatz::tools
