// Explains reports of opcheck and CrossRefFakeMode, errors inside fake kernels, and DDP's warning about gradients.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/explain/text_facts.h"
#include "tracer/messages/export_text.h"
#include "tracer/messages/fake_mismatch.h"
#include "tracer/messages/gradient_text.h"
#include "tracer/messages/opcheck_text.h"
#include "tracer/messages/python_text.h"

namespace ersatz::tools {

namespace {

using Field = FakeMismatch::Field;

std::string_view field_name(Field f) {
  constexpr std::string_view kNames[] = {"size", "stride", "dtype",         "device", "storage offset",
                                         "conj", "neg",    "requires_grad", "alias",  "metadata"};
  return kNames[static_cast<size_t>(f)];
}

/// Replaces the square brackets around a size by parentheses.
std::string side_words(std::string text) {
  if (text.starts_with('[') && text.ends_with(']')) {
    text.front() = '(';
    text.back() = ')';
  }
  return text;
}

/// Finds the operator's name in `lines`, for a report that only says "op".
std::string op_in(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (const auto m = fake_mismatch(line); m && !m->op.empty()) return m->op;
    if (const auto op = behind(line, "UnsupportedOperatorException: ")) return plain_op_name(*op);
    if (const size_t at = line.find(": at least one output of this operator"); at != std::string::npos) {
      const size_t space = line.rfind(' ', at);
      return plain_op_name(line.substr(space == std::string::npos ? 0 : space + 1, at - space - 1));
    }
    if (const auto schema = behind(line, "_schema_check(torch.ops.")) return plain_op_name(*schema);
  }
  // The name may be in the user's line: opcheck(torch.ops.my.op, args)
  for (const std::string& line : lines) {
    const auto call = behind(line, "opcheck(torch.ops.");
    if (call) return plain_op_name(leading_word(*call, "."));
  }
  // One of the texts may be the program that defines the operator.
  std::string defined;
  for (const std::string& line : lines) {
    const auto name = between(line, "custom_op(\"", "\"");
    if (!name || plain_op_name(*name) == defined) continue;
    if (!defined.empty()) return {};
    defined = plain_op_name(*name);
  }
  return defined;
}

std::string op_in(const ReadText& text, const std::vector<ReadText>& all) {
  std::string op = op_in(text.lines);
  for (size_t i = 0; i < all.size() && op.empty(); ++i) op = op_in(all[i].lines);
  return op;
}

std::string subject_of(const std::string& op) { return op.empty() ? "the checked operator" : op; }

/// Returns the operator in `GeneratedBackwardFor_my_op_defaultBackward`. Namespace and name cannot be told apart there.
std::string backward_of(std::string_view line) {
  const auto name = between(line, "GeneratedBackwardFor_", "Backward");
  if (!name) return {};
  std::string op(*name);
  for (const std::string_view overload : {"_default"}) {
    if (op.ends_with(overload)) op.resize(op.size() - overload.size());
  }
  return op;
}

/// Returns the frame of the user's function that PyTorch called as the fake kernel. nullopt if the stack has no fake
/// kernel.
std::optional<Frame> fake_kernel_frame(const std::vector<Frame>& frames) {
  std::optional<Frame> found;
  bool inside = false;
  for (const Frame& f : frames) {
    if (f.code.find("_abstract_fn(") != std::string::npos || f.function == "fake_impl") inside = true;
    if (inside && !is_library(f) && !f.code.empty()) {
      found = f;
      inside = false;
    }
  }
  return found;
}

bool goes_through_fake_kernel(const std::vector<Frame>& frames) {
  return std::any_of(frames.begin(), frames.end(),
                     [](const Frame& f) { return f.code.find("_abstract_fn(") != std::string::npos; });
}

/// True if the checker's own comparison raised the error, not the operator.
bool in_checker(const std::vector<Frame>& frames) {
  return std::any_of(frames.begin(), frames.end(), [](const Frame& f) {
    return f.file.find("schema_check_mode") != std::string::npos &&
           (f.function == "bitwise_equal" || f.function == "has_mutated");
  });
}

void judge_mismatch(const FakeMismatch& m, TextAnswer& out) {
  const std::string op = subject_of(m.op);
  const bool pytorch = is_pytorch_op(m.op);
  const std::string fake = pytorch ? "PyTorch's own fake kernel" : "the fake kernel";
  const std::string result = m.field == Field::Other ? "" : fmt::format(", result {}", m.result.value_or(0));
  out.json["op"] = m.op;
  out.json["result"] = m.result.value_or(0);
  out.json["field"] = field_name(m.field);
  out.json["actual"] = m.real;
  out.json["expected"] = m.fake;
  if (m.field == Field::RequiresGrad) {
    out.verdict = TextVerdict::Autograd;
    out.fake_wrong = false;
    out.summary = fmt::format(
        "{}: its result requires grad by the kernel and not by the fake: an autograd formula is "
        "registered for a backend; no metadata is wrong",
        op);
    out.next = {"register the formula with torch.library.register_autograd"};
    return;
  }
  if (m.field == Field::Alias) {
    const bool kernel = m.real == "True";
    out.verdict = TextVerdict::Schema;
    out.fake_wrong = false;
    out.summary = fmt::format("{}{}: {} an argument, and the schema {}", op, result,
                              kernel ? "the kernel returns" : "the kernel never returns",
                              kernel ? "declares no alias" : "says that it does");
    out.fact("means", "the fake kernel follows the schema; schema and kernel disagree");
    out.next = {"let the kernel return a clone, or declare the alias in the schema: Tensor(a)"};
    return;
  }
  out.verdict = TextVerdict::FakeKernel;
  out.fake_wrong = true;
  const std::string field(field_name(m.field));
  if (m.real.empty()) {
    out.summary = fmt::format("{}{}: kernel and {} give another {}", op, result,
                              pytorch ? "PyTorch's own fake kernel" : "fake kernel", field);
  } else {
    out.summary = fmt::format("{}{}: {} {} from the kernel, {} from {}", op, result, field, side_words(m.real),
                              side_words(m.fake), fake);
  }
  out.fact("means", "the text has the first field that differs; others may differ too");
  if (pytorch) {
    out.next = {fmt::format("ersatz explain {} \"ARGUMENTS\"   # what ersatz's rule says of the same call", m.op)};
  } else {
    out.next = validate_lines(without_default(m.op), "...");
  }
}

void judge_missing(const std::string& op, TextAnswer& out) {
  out.verdict = TextVerdict::NoFakeKernel;
  out.fake_wrong = false;
  out.json["op"] = op;
  out.summary = fmt::format("{}: it has no fake kernel", subject_of(op));
  const std::string base = without_default(op);
  const size_t dot = base.find('.');
  const std::string qualified =
      dot == std::string::npos ? "NAMESPACE::OPERATOR" : base.substr(0, dot) + "::" + base.substr(dot + 1);
  out.next = {fmt::format("@torch.library.register_fake(\"{}\")", qualified)};
  for (std::string& line : validate_lines(base, "...")) out.next.push_back(std::move(line) + "   # then");
}

class OpcheckAnswer {
 public:
  OpcheckAnswer(const ReadText& text, const std::vector<ReadText>& all)
      : text_(text), op_(op_in(text, all)), tests_(opcheck_tests(text.lines)) {}

  TextAnswer answer() {
    nlohmann::ordered_json tests = nlohmann::ordered_json::object();
    std::string words;
    for (const OpcheckTest& t : tests_) {
      tests[t.name] = t.passed ? "SUCCESS" : t.error;
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", t.name, t.passed ? "passed" : "failed");
    }
    if (tests_.empty()) return {};
    out_.json["tests"] = tests;
    out_.json["op"] = op_;
    out_.line = tests_[0].at + 1;
    const OpcheckTest* failed = nullptr;
    // The first failed test is explained: a fault in the schema or in the autograd registration makes later tests fail
    // too.
    for (const OpcheckTest& t : tests_) {
      if (!t.passed && !failed) failed = &t;
    }
    if (failed) {
      out_.line = failed->at + 1;
      judge(*failed);
    } else {
      nothing();
    }
    out_.facts.insert(out_.facts.begin(), {"opcheck", words});
    if (failed) out_.facts.insert(out_.facts.begin() + 1, {"error", failed->error.substr(0, 200)});
    return std::move(out_);
  }

 private:
  void nothing() {
    out_.verdict = TextVerdict::NothingFound;
    out_.summary = fmt::format("{}: opcheck found nothing in {} with these arguments", subject_of(op_),
                               tests_.size() == 1 ? "one test" : fmt::format("{} tests", tests_.size()));
    out_.fact("means",
              "opcheck calls the operator with the arguments that it is given, and no others: another size, "
              "layout or dtype may still differ");
    out_.next = validate_lines(without_default(op_), "...");
  }

  bool has(const OpcheckTest& t, std::string_view phrase) const { return t.error.find(phrase) != std::string::npos; }

  void judge(const OpcheckTest& t) {
    const std::string op = subject_of(op_);
    if (const auto argument = between(t.error, "Argument ", " is not defined as mutable but was mutated")) {
      return schema(
          fmt::format("{}: the kernel writes argument {}, and the schema says that it does not", op, *argument),
          fmt::format("declare it: mutates_args=(\"{}\",), or Tensor(a!) in the schema; or let the kernel "
                      "work on a clone",
                      *argument));
    }
    if (const auto argument = between(t.error, "Argument ", " is not defined to alias output but was aliasing")) {
      return schema(fmt::format("{}: the kernel returns argument {} or a view of it, and the schema declares no alias",
                                op, *argument),
                    "let the kernel return a clone, or declare the alias in the schema: Tensor(a)");
    }
    if (has(t, "The output of this custom operator (1) must not also be an input")) {
      return schema(fmt::format("{}: the kernel returns one of its arguments, a view of one, or one result twice", op),
                    "let the kernel return a clone: return x.clone()");
    }
    if (const auto named = between(t.error, "no fake impl registered for <CustomOpDef(", ")>"))
      return judge_missing(plain_op_name(*named), out_);
    if (has(t, "does not have an autograd kernel defined at an autograd key")) {
      out_.verdict = TextVerdict::Autograd;
      out_.fake_wrong = false;
      out_.summary = fmt::format("{}: an autograd formula is registered for a backend; no metadata is wrong", op);
      out_.next = {"register the formula with torch.library.register_autograd"};
      return;
    }
    if (const auto m = fake_mismatch(t.error)) {
      FakeMismatch mismatch = *m;
      if (mismatch.op.empty()) mismatch.op = op_;
      return judge_mismatch(mismatch, out_);
    }
    if (has(t, "UnsupportedOperatorException") || has(t, "no fake impl or Meta kernel") ||
        (!op_.empty() && t.error == op_)) {
      return judge_missing(op_, out_);
    }
    if (const std::string backward = backward_of(t.error); !backward.empty()) return judge_backward(t, backward);
    if (has(t, "data-dependent expression")) return reads_data(t);
    if (has(t, "positional argument") || has(t, "unexpected keyword argument") || has(t, "missing 1 required")) {
      return signature(t);
    }
    if (t.name == "test_schema" && has(t, "\" not implemented for '")) return limit(t);
    if (in_checker(text_.frames)) return limit(t);
    if (const auto place = fake_kernel_frame(text_.frames); place || goes_through_fake_kernel(text_.frames)) {
      out_.verdict = TextVerdict::FakeRaises;
      out_.fake_wrong = true;
      out_.summary = fmt::format("{}: its fake kernel raises where the kernel returns", op);
      out_.fact("fake", place_words(place));
      out_.next = validate_lines(without_default(op_), "...");
      return;
    }
    out_.verdict = TextVerdict::Unknown;
    out_.summary = fmt::format("{}: {} failed, and the text does not show whose fault it is", op, t.name);
    out_.next = validate_lines(without_default(op_), "...");
  }

  void schema(std::string summary, std::string next) {
    out_.verdict = TextVerdict::Schema;
    out_.fake_wrong = false;
    out_.summary = std::move(summary);
    out_.fact("means", "schema and kernel disagree; the fake kernel follows the schema");
    out_.next = {std::move(next)};
    for (std::string& line : validate_lines(without_default(op_), "...")) out_.next.push_back(std::move(line));
  }

  void judge_backward(const OpcheckTest& t, const std::string& backward) {
    out_.verdict = TextVerdict::Backward;
    const auto got = between(t.error, " - got ", " but expected shape compatible with ");
    const auto wanted = behind(t.error, " but expected shape compatible with ");
    const auto index = behind(t.error, "invalid gradient at index ");
    size_t taken = 0;
    const auto number = index ? leading_integer(*index, taken) : std::nullopt;
    out_.json["backward_of"] = backward;
    const bool symbols = got && got->find('s') != got->npos;
    if (symbols) out_.fake_wrong = true;
    out_.summary = fmt::format(
        "the backward of {}, gradient {}: size {} from {}, {} needed: the operator itself passed, one that its "
        "backward "
        "calls did not",
        backward, number.value_or(0), side_words(std::string(got.value_or("?"))),
        symbols ? "a fake kernel" : "a kernel", side_words(std::string(trimmed(wanted.value_or("?")))));
    out_.fact("means",
              symbols ? "the sizes are symbols, so fake kernels gave them: an operator that the backward calls has "
                        "a fake kernel of another size, or the formula is wrong"
                      : "the formula of the backward gives another size than the input has");
    out_.next = validate_lines("OPERATOR_OF_THE_BACKWARD", "...");
  }

  void reads_data(const OpcheckTest& t) {
    (void)t;
    out_.verdict = TextVerdict::FakeReadsData;
    out_.fake_wrong = true;
    out_.summary = fmt::format("{}: its fake kernel reads the value of a tensor argument", subject_of(op_));
    std::optional<Frame> place = fake_kernel_frame(text_.frames);
    if (!place) place = user_place(text_.frames, 0, text_.lines.size());
    out_.fact("fake", place_words(place));
    out_.json["place"] = place_json(place);
    out_.fact("means",
              "a fake tensor has no values. A size that only data give is torch.library.get_ctx().new_dynamic_size()");
    out_.next = validate_lines(without_default(op_), "...");
  }

  void signature(const OpcheckTest& t) {
    out_.verdict = TextVerdict::FakeSignature;
    out_.fake_wrong = true;
    out_.summary = fmt::format("{}: its fake kernel does not take the arguments of the schema: {}", subject_of(op_),
                               signature_words(t.error));
    out_.next = {"give the fake kernel the parameters of the schema, with their defaults"};
    for (std::string& line : validate_lines(without_default(op_), "...")) out_.next.push_back(std::move(line));
  }

  /// Returns the end of a TypeError's message: `takes 2 positional arguments but 3 were given`.
  static std::string signature_words(const std::string& error) {
    const size_t at = error.find("() ");
    return at == std::string::npos ? error : error.substr(at + 3);
  }

  void limit(const OpcheckTest& t) {
    out_.verdict = TextVerdict::CheckerLimit;
    out_.fake_wrong = false;
    const auto dtype = between(t.error, "not implemented for '", "'");
    out_.summary = fmt::format(
        "{}: opcheck's own comparison in {} failed{}; nothing is known to be wrong with the operator", subject_of(op_),
        t.name, dtype ? fmt::format(", since PyTorch cannot compare values of {}", *dtype) : "");
    out_.fact("means",
              "opcheck compares the values of arguments before and after a call with torch.allclose, which lacks "
              "that dtype");
    out_.next = {
        "opcheck(..., test_utils=(\"test_faketensor\", \"test_autograd_registration\", "
        "\"test_aot_dispatch_dynamic\")) leaves that test out"};
    for (std::string& line : validate_lines(without_default(op_), "...")) out_.next.push_back(std::move(line));
  }

  const ReadText& text_;
  std::string op_;
  std::vector<OpcheckTest> tests_;
  TextAnswer out_;
};

/// True if the two layouts differ only in dims of size 1, whose strides do not affect any element's address.
bool differs_in_ones(const GradientStrides& g) {
  const auto sizes = items_of(g.sizes), strides = items_of(g.strides), bucket = items_of(g.bucket_strides);
  if (!sizes || !strides || !bucket || sizes->size() != strides->size() || sizes->size() != bucket->size())
    return false;
  for (size_t d = 0; d < sizes->size(); ++d) {
    if ((*strides)[d] != (*bucket)[d] && (*sizes)[d] != "1") return false;
  }
  return true;
}

}  // namespace

std::vector<TextAnswer> explain_opcheck(const ReadText& text, const std::vector<ReadText>& all) {
  TextAnswer answer = OpcheckAnswer(text, all).answer();
  if (answer.summary.empty()) return {};
  return {std::move(answer)};
}

std::vector<TextAnswer> explain_fake_mismatches(const ReadText& text) {
  std::vector<TextAnswer> answers;
  for (const FakeMismatch& m : fake_mismatches(text.lines)) {
    TextAnswer out;
    for (size_t i = 0; i < text.lines.size() && !out.line; ++i) {
      if (text.lines[i].find(m.message) != std::string::npos) out.line = i + 1;
    }
    judge_mismatch(m, out);
    answers.push_back(std::move(out));
  }
  return answers;
}

std::vector<TextAnswer> explain_fake_kernel_error(const ReadText& text) {
  TextAnswer out;
  const std::optional<Frame> place = fake_kernel_frame(text.frames);
  for (size_t i = text.lines.size(); i > 0; --i) {
    const std::string& line = text.lines[i - 1];
    if (line.empty() || line[0] == ' ') continue;
    out.line = i;
    const bool signature = line.find("positional argument") != std::string::npos ||
                           line.find("unexpected keyword argument") != std::string::npos;
    out.verdict = signature ? TextVerdict::FakeSignature : TextVerdict::FakeRaises;
    out.fake_wrong = true;
    const size_t at = line.find("() ");
    out.summary = signature ? "a fake kernel does not take the arguments of its schema: " +
                                  (at == std::string::npos ? line : line.substr(at + 3))
                            : "a fake kernel raises: " + line;
    break;
  }
  if (out.summary.empty()) return {};
  out.fact("fake", place_words(place));
  out.json["place"] = place_json(place);
  out.next = validate_lines("", "...");
  return {std::move(out)};
}

std::vector<TextAnswer> explain_gradients(const ReadText& text) {
  const std::optional<GradientStrides> g = gradient_strides(text.lines);
  if (!g) return {};
  TextAnswer out;
  out.line = g->at + 1;
  out.verdict = TextVerdict::GradientLayout;
  out.fake_wrong = false;
  out.json["actual"] = {{"sizes", g->sizes}, {"strides", g->strides}};
  out.json["expected"] = {{"sizes", g->bucket_sizes}, {"strides", g->bucket_strides}};
  const bool of_ones = differs_in_ones(*g);
  out.json["only_dims_of_size_1"] = of_ones;
  out.summary =
      g->strides.empty()
          ? std::string("a gradient has other strides than its DDP bucket; no result is wrong, it is copied")
          : fmt::format("a gradient of size {} has stride {}, its DDP bucket {}{}; no result is wrong, it is copied",
                        side_words(g->sizes), side_words(g->strides), side_words(g->bucket_strides),
                        of_ones ? ", in dims of size 1 alone" : "");
  out.fact("means",
           "the gradient of a parameter should be laid out as the parameter is. A backward kernel returns another "
           "layout, or the parameter's layout changed after DDP was made. DDP compares dims of size 1 too");
  out.next = {"ersatz crosscheck train.py   # names the operator whose backward returns another layout than predicted",
              "or let the backward end in grad.contiguous(), or change the memory format before DDP(model)"};
  return {std::move(out)};
}

}  // namespace ersatz::tools
