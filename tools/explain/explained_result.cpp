// Explains a result whose layout is not the one that compiled code expects. A printed graph in one of the texts, or the
// rule of ersatz, may show which layout is right.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/base/error.h"
#include "runtime/op/op_name.h"
#include "runtime/tensor/meta_text.h"
#include "tools/explain/asserted.h"
#include "tools/explain/explained_call.h"
#include "tools/infer/prediction_cause.h"
#include "tracer/messages/python_text.h"

namespace ersatz::tools {

namespace {

/// A value with its annotation in a printed graph: `getitem_1: "f32[4, 4][4, 1]cpu" = qr_like[1]`.
struct PrintedValue {
  std::string name, annotation;
  std::vector<std::string> sizes, strides;
};

std::optional<PrintedValue> printed_value(std::string_view name, std::string_view annotation) {
  PrintedValue v{std::string(name), std::string(annotation), {}, {}};
  const size_t open = annotation.find('[');
  if (open == annotation.npos) return std::nullopt;
  const size_t close = closing_bracket(annotation, open);
  if (close == annotation.npos || close + 1 >= annotation.size() || annotation[close + 1] != '[') return std::nullopt;
  const size_t end = closing_bracket(annotation, close + 1);
  if (end == annotation.npos) return std::nullopt;
  v.sizes = split_arguments(annotation.substr(open + 1, close - open - 1));
  v.strides = split_arguments(annotation.substr(close + 2, end - close - 2));
  return v;
}

/// Returns the values that graphs in the texts record for result number `result` of `op`. If there are several calls,
/// values that match the asserted `expected` come first.
std::vector<PrintedValue> graph_results(const std::vector<ReadText>& all, const std::string& op, int64_t result) {
  std::vector<PrintedValue> found;
  for (const ReadText& text : all) {
    std::vector<std::string> tuples;
    for (const std::string& raw : text.lines) {
      const std::string_view line = trimmed(raw);
      const size_t equals = line.find(" = ");
      if (equals == line.npos || line.starts_with('#')) continue;
      const std::string_view left = line.substr(0, equals), right = line.substr(equals + 3);
      const std::string name(leading_word(left));
      const auto annotation = between(left, ": \"", "\"");
      if (right.starts_with("torch.ops.") && plain_op_name(right) == op) {
        if (!annotation) tuples.push_back(name);
        if (annotation && result == 0) {
          if (auto v = printed_value(name, *annotation)) found.push_back(std::move(*v));
        }
        continue;
      }
      const size_t open = right.find('[');
      const auto index =
          open == right.npos ? std::nullopt : integer_in(right.substr(open + 1, right.find(']') - open - 1));
      if (!annotation || index != result) continue;
      if (std::find(tuples.begin(), tuples.end(), right.substr(0, open)) == tuples.end()) continue;
      if (auto v = printed_value(name, *annotation)) found.push_back(std::move(*v));
    }
  }
  return found;
}

class ResultAnswer {
 public:
  ResultAnswer(const Asserted& asserted, TextAnswer& out) : a_(asserted), out_(out) {}

  void explain() {
    std::string op = a_.said.op;
    if (op.empty() && a_.buffer) op = a_.buffer->op;
    out_.json["op"] = op;
    const std::optional<int64_t> result = a_.buffer ? a_.buffer->result : std::nullopt;
    out_.json["result"] = result ? nlohmann::ordered_json(*result) : nlohmann::ordered_json();
    std::string subject = op.empty() ? "a tensor of compiled code" : op;
    if (result) {
      subject += fmt::format(", result {}", *result);
    } else {
      subject += a_.name.empty() && op.empty() ? "" : ", a result";
      if (!a_.name.empty()) subject += fmt::format(" ({})", a_.name);
    }
    const auto [is, was] = a_.both();
    out_.fact("asserted", a_.place_words());
    out_.fact("was there", a_.actual && a_.said.expected_dtype.empty() && !a_.said.alignment ? a_.actual->words() : is);
    out_.fact("expected", a_.expected ? a_.expected->words() : was);
    if (op.empty()) {
      out_.summary = fmt::format("{}: {}, and the code expects {}", subject, is, was);
      out_.verdict = TextVerdict::Unknown;
      out_.next = {where_code_is()};
      return;
    }
    if (!compare_with_graph(op, result.value_or(0), subject, is, was) && !compare_with_rule(op, subject, is, was)) {
      accuse(op, subject, is, was);
    }
    if (!a_.code || !a_.buffer) out_.next.push_back(where_code_is());
  }

 private:
  void accuse(const std::string& op, const std::string& subject, const std::string& is, const std::string& was) {
    const bool pytorch = is_pytorch_op(op);
    out_.verdict = TextVerdict::FakeKernel;
    if (!pytorch) out_.fake_wrong = true;
    const std::string fake = pytorch ? "PyTorch's own prediction" : "the fake kernel";
    out_.summary = fmt::format("{}: {} from the kernel, {} from {}", subject, is,
                               a_.said.alignment ? "offset 0 (" + was + ")" : was, fake);
    const std::vector<CodeArgument> arguments =
        a_.buffer ? arguments_of(*a_.buffer, a_.code->code) : std::vector<CodeArgument>();
    const std::string view = view_of(arguments);
    out_.fact("cause", view.empty() ? cause(arguments) : view);
    if (pytorch) {
      out_.fact("means",
                "the operator is PyTorch's own, and no rule of ersatz could be asked: its arguments are not "
                "all in the text");
      out_.next.push_back(fmt::format("ersatz explain {} \"ARGUMENTS\"", op));
      return;
    }
    out_.fact("means",
              "the code was compiled for what the fake kernel returned. Change it to return what the kernel "
              "returns, or let the kernel return what the fake kernel says");
    out_.next = validate_lines(without_default(op), sample_of(arguments));
  }

  /// Returns the argument that has the strides of the result, because the kernel may have returned a view of it.
  std::string view_of(const std::vector<CodeArgument>& arguments) const {
    if (!a_.actual || a_.field() != "stride") return {};
    const auto sizes = numbers_of(a_.actual->sizes, {}), strides = numbers_of(a_.actual->strides, {});
    if (!sizes || !strides) return {};
    size_t number = 0;
    for (const CodeArgument& a : arguments) {
      if (!a.tensor) continue;
      const size_t n = number++;
      if (!a.meta || a.meta->sizes.size() != sizes->size()) continue;
      bool inside = true, smaller = false;
      for (size_t d = 0; d < sizes->size(); ++d) {
        inside &= a.meta->strides[d].as_int() == (*strides)[d] && a.meta->sizes[d].as_int() >= (*sizes)[d];
        smaller |= a.meta->sizes[d].as_int() > (*sizes)[d];
      }
      if (!inside || !smaller) continue;
      return fmt::format(
          "it has the strides of tensor argument {}, {}, and smaller sizes: the kernel may return a view of that "
          "argument. Then let it return a clone, or declare the alias in the schema: Tensor(a)",
          n, a.text);
    }
    return {};
  }

  /// Returns the cause in the words that `ersatz validate` uses for a single call.
  std::string cause(const std::vector<CodeArgument>& arguments) const {
    if (!a_.actual || a_.said.alignment) return {};
    LaidOut is{a_.actual->sizes, a_.actual->strides, a_.actual->dtype, ""};
    LaidOut was{a_.expected->sizes, a_.expected->strides, a_.expected->dtype, ""};
    if (is.dtype.empty()) is.dtype = was.dtype = "torch.float32";
    const auto observed = meta_of(is, {}), predicted = meta_of(was, {});
    if (!observed || !predicted) return {};
    CallRecord record;
    for (const CodeArgument& a : arguments) {
      if (!a.tensor) continue;
      if (!a.meta) return {};
      record.tensors.emplace_back().meta = *a.meta;
    }
    RecordedTensor r, p;
    r.meta = *observed;
    p.meta = *predicted;
    const ResultPair pair{&record, &p, &r};
    const FindingField which = a_.field() == "dtype"  ? FindingField::DType
                               : a_.field() == "size" ? FindingField::Size
                                                      : FindingField::Stride;
    return cause_of_difference(which, {&pair, 1}, {&pair, 1});
  }

  /// True if the recorded value fits the dims that the error message lists. `was_there` selects the actual sizes and
  /// strides in the message, else the expected ones.
  bool fits(const PrintedValue& v, bool was_there) const {
    if (a_.said.rank) return !was_there && a_.expected && v.sizes.size() == a_.expected->sizes.size();
    for (const DimMismatch& d : a_.said.dims) {
      const size_t dim = static_cast<size_t>(d.dim);
      if (dim >= v.sizes.size() || dim >= v.strides.size()) return false;
      if (number_of(v.sizes[dim], a_.numbers()) != (was_there ? d.size : d.expected_size)) return false;
      if (number_of(v.strides[dim], a_.numbers()) != (was_there ? d.stride : d.expected_stride)) return false;
    }
    return !a_.said.dims.empty();
  }

  /// Compares the result with its annotation in a graph of the texts. RETURNS true if the comparison decides the
  /// answer.
  bool compare_with_graph(const std::string& op, int64_t result, const std::string& subject, const std::string& is,
                          const std::string& was) {
    if (a_.said.alignment || !a_.said.expected_dtype.empty()) return false;
    const std::vector<PrintedValue> recorded = graph_results(a_.all, op, result);
    const auto as = [&](bool was_there) {
      return std::find_if(recorded.begin(), recorded.end(), [&](const PrintedValue& v) { return fits(v, was_there); });
    };
    if (const auto v = as(false); v != recorded.end()) {
      out_.fact("graph", fmt::format("{}: {}, as expected: the prediction was there before the code was generated",
                                     v->name, v->annotation));
      return false;
    }
    const auto v = as(true);
    if (v == recorded.end()) return false;
    out_.fact("graph", fmt::format("{}: {}, as it was there: the prediction is right", v->name, v->annotation));
    out_.verdict = TextVerdict::LaidOutByCompiler;
    out_.fake_wrong = false;
    out_.summary = fmt::format("{}: {}, as the graph recorded it; a pass of the compiler expects {}", subject, is, was);
    out_.next = {"compare the graphs of the stages: TORCH_TRACE has each of them"};
    return true;
  }

  /// Compares the result with the rule of ersatz, if there is a rule and the code shows the arguments. RETURNS true if
  /// the comparison decides the answer.
  bool compare_with_rule(const std::string& op, const std::string& subject, const std::string& is,
                         const std::string& was) {
    const std::optional<ExplainedResult> rule = rule_of(op);
    if (!rule || !a_.actual) return false;
    const auto as = [&](const AssertedSide& side) {
      const TensorMeta meta = parse_meta(rule->meta);
      const auto sizes = numbers_of(side.sizes, {}), strides = numbers_of(side.strides, {});
      if (!sizes || !strides || sizes->size() != meta.sizes.size()) return false;
      for (size_t d = 0; d < sizes->size(); ++d) {
        if (meta.sizes[d].as_int() != (*sizes)[d]) return false;
        if (meta.sizes[d].as_int() > 1 && meta.strides[d].as_int() != (*strides)[d]) return false;
      }
      return true;
    };
    out_.json["rule"] = rule->meta;
    const bool kernel = as(*a_.actual), prediction = as(*a_.expected);
    out_.fact("rule", fmt::format("{} ({})", rule->meta, rule->strides));
    out_.verdict = TextVerdict::FakeKernel;
    if (rule->by_backend || kernel == prediction) return false;
    if (kernel) {
      out_.fake_wrong = true;
      out_.summary =
          fmt::format("{}: {} from the kernel, as ersatz's rule says; PyTorch predicted {}", subject, is, was);
      out_.next = {fmt::format("report it to PyTorch, with `ersatz explain {} \"{}\"`", op, rule_arguments_)};
    } else {
      out_.fake_wrong = false;
      out_.verdict = TextVerdict::LaidOutByCompiler;
      out_.summary =
          fmt::format("{}: {}, and the code expects {}, as ersatz's rule says: another kernel than eager's made it",
                      subject, is, was);
      out_.next = {fmt::format("ersatz explain {} \"{}\"", op, rule_arguments_)};
    }
    return true;
  }

  std::optional<ExplainedResult> rule_of(const std::string& op) {
    if (!a_.buffer || a_.buffer->by != MadeBuffer::By::Operator || ops_meant(op).empty()) return std::nullopt;
    std::vector<std::string> words;
    bool cuda = false;
    for (const CodeArgument& a : arguments_of(*a_.buffer, a_.code->code)) {
      if (a.tensor && !a.meta) return std::nullopt;
      cuda |= a.tensor && !a.meta->device.is_cpu();
      TensorMeta meta = a.meta.value_or(TensorMeta());
      meta.device = kCPU;  // explain_call moves it to the requested device
      words.push_back(a.tensor ? to_string(meta) : a.text);
    }
    rule_arguments_ = fmt::format("{}", fmt::join(words, ", "));
    try {
      const AskedDevice on =
          cuda ? AskedDevice{"cuda", resolve(*parse_device("cuda")), {}} : AskedDevice{"cpu", kCPU, {}};
      const ExplainedCall call = explain_call(op, rule_arguments_, {on});
      const size_t k = static_cast<size_t>(a_.buffer->result.value_or(0));
      if (call.answers.empty() || !call.answers[0].error.empty() || k >= call.answers[0].results.size())
        return std::nullopt;
      return call.answers[0].results[k];
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      return std::nullopt;  // the arguments are in a syntax that only Inductor's code uses
    }
  }

  /// Returns a command that explains the text together with the generated code, which shows the operator that made the
  /// result.
  std::string where_code_is() const {
    const std::string file = a_.said.frame ? a_.said.frame->file : "OUTPUT_CODE.py";
    return fmt::format("ersatz explain {} {}   # with the generated code: which result, and of which arguments",
                       a_.text.name, file);
  }

  const Asserted& a_;
  std::string rule_arguments_;
  TextAnswer& out_;
};

}  // namespace

void explain_result(const Asserted& asserted, TextAnswer& out) { ResultAnswer(asserted, out).explain(); }

void explain_compilers_buffer(const Asserted& a, TextAnswer& out) {
  const auto [is, was] = a.both();
  const bool library = a.buffer->by == MadeBuffer::By::Library;
  out.verdict = TextVerdict::LaidOutByCompiler;
  out.fake_wrong = false;
  out.json["op"] = a.buffer->op;
  out.summary = fmt::format(
      "{}: {}, and the code expects {}: {}", a.name, is, was,
      library ? a.buffer->op + " laid it out, which Inductor predicted otherwise" : "Inductor's own code allocated it");
  out.fact("asserted", a.place_words());
  out.fact("was there", a.actual ? a.actual->words() : is);
  out.fact("expected", a.expected ? a.expected->words() : was);
  out.fact("means", "no fake kernel of a custom operator is to blame: the layout is a decision of the compiler");
  out.next = {"report it to PyTorch with this code; TORCHINDUCTOR_SIZE_ASSERTS=0 runs without the assertions"};
}

}  // namespace ersatz::tools
