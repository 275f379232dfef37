// Explains errors of torch.export and torch.compile, draft export reports, and reports of torch.onnx.export.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/explain/text_facts.h"
#include "tracer/messages/export_text.h"
#include "tracer/messages/onnx_text.h"
#include "tracer/messages/python_text.h"

namespace ersatz::tools {

namespace {

using Kind = ExportIssue::Kind;

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// Returns a sympy expression in Python's syntax: `u0 % 4 != 0` for `Ne(Mod(u0, 4), 0)`.
std::string python_condition(const std::string& expression, int depth = 0) {
  constexpr std::pair<std::string_view, std::string_view> kCalls[] = {
      {"Eq(", " == "}, {"Ne(", " != "}, {"Mod(", " % "}, {"FloorDiv(", " // "}, {"PythonMod(", " % "}};
  for (const auto& [name, sign] : kCalls) {
    if (!expression.starts_with(name) || depth > 8) continue;
    const auto items = items_of(std::string_view(expression).substr(name.size() - 1));
    if (!items || items->size() != 2) continue;
    std::string left = python_condition((*items)[0], depth + 1), right = python_condition((*items)[1], depth + 1);
    const bool compares = sign == " == " || sign == " != ";
    if (!compares && has(left, " ")) left = fmt::format("({})", left);
    if (!compares && has(right, " ")) right = fmt::format("({})", right);
    return left + std::string(sign) + right;
  }
  return expression;
}

/// Returns the negated condition: `u0 % 4 == 0` for `u0 % 4 != 0`.
std::string negated(const std::string& condition) {
  constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {" == ", " != "}, {" != ", " == "}, {" >= ", " < "}, {" <= ", " > "}, {" > ", " <= "}, {" < ", " >= "}};
  for (const auto& [sign, other] : kSigns) {
    const size_t at = condition.find(sign);
    if (at == condition.npos) continue;
    return condition.substr(0, at) + std::string(other) + condition.substr(at + sign.size());
  }
  return fmt::format("not ({})", condition);
}

/// Returns the text before the colon that begins a block. Colons inside brackets belong to slices and are skipped.
std::string_view before_colon(std::string_view code) {
  int open = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    open += std::string_view("([{").find(code[i]) != std::string_view::npos;
    open -= std::string_view(")]}").find(code[i]) != std::string_view::npos;
    if (code[i] == ':' && open == 0) return code.substr(0, i);
  }
  return code;
}

/// Returns the condition of an `if`, `while` or `assert` in the user's line; empty if the line has none of them.
std::string branch_condition(std::string_view code) {
  for (const std::string_view word : {"if ", "elif ", "while ", "assert "}) {
    if (!code.starts_with(word)) continue;
    std::string_view condition = code.substr(word.size());
    return std::string(trimmed(word == "assert " ? condition : before_colon(condition)));
  }
  return {};
}

/// True for a single comparison, which torch._check accepts as it is written.
bool is_comparison(std::string_view condition) {
  return !has(condition, " and ") && !has(condition, " or ") && !condition.starts_with("not ") &&
         (has(condition, " == ") || has(condition, " != ") || has(condition, " > ") || has(condition, " < ") ||
          has(condition, " >= ") || has(condition, " <= "));
}

class ExportAnswer {
 public:
  explicit ExportAnswer(const ExportIssue& issue, const ReadText& text) : i_(issue), text_(text) {}

  TextAnswer answer() {
    code_ = i_.place ? i_.place->code : "";
    in_fake_ = std::any_of(text_.frames.begin(), text_.frames.end(), [&](const Frame& f) {
      return f.at < i_.at && f.code.find("_abstract_fn(") != std::string::npos;
    });
    out_.line = i_.at + 1;
    out_.json["op"] = i_.op.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(i_.op);
    out_.json["expression"] = i_.expression;
    out_.json["place"] = place_json(i_.place);
    out_.json["suggested"] = i_.suggested;
    out_.fake_wrong = false;
    switch (i_.kind) {
      case Kind::Guard:
      case Kind::Number:
      case Kind::TensorBranch:
        in_fake_ ? fake_reads_data() : data();
        break;
      case Kind::DimFixed:
      case Kind::DimsEqual:
      case Kind::DimGuard:
      case Kind::AddedGuard:
        dim();
        break;
      case Kind::NoFakeKernel:
        no_fake();
        break;
      case Kind::WrongFakeKernel:
        wrong_fake();
        break;
    }
    if (i_.kind != Kind::NoFakeKernel) out_.fact("line", place_words(i_.place));
    if (!i_.chosen.empty()) {
      out_.fact("draft",
                fmt::format("draft_export took {} for it, as in the sample: the program is right for inputs that "
                            "give the same",
                            i_.chosen));
    }
    return std::move(out_);
  }

 private:
  std::string at() const { return i_.place ? fmt::format(" at {}:{}", i_.place->file, i_.place->line) : std::string(); }

  /// torch.export names a symbol zuf0 if its number comes from a float tensor, else u0.
  bool is_float() const { return has(i_.expression, "zuf"); }
  bool is_size() const { return !i_.sizelike.empty(); }
  /// True if the code needed the value of a bool tensor, as in `if tensor:`.
  bool is_bool() const {
    if (i_.kind == Kind::TensorBranch) return true;
    if (i_.kind != Kind::Guard || is_size() || is_float()) return false;
    const auto items = items_of(i_.expression.starts_with("Eq(") ? std::string_view(i_.expression).substr(2) : "");
    const bool of_bool = items && items->size() == 2 && (*items)[1] == "1" && is_python_name((*items)[0]);
    return of_bool && !has(code_, ".item()");
  }

  std::string source_words() const {
    if (i_.source.empty()) return {};
    return fmt::format("{}: the number is made there", i_.source);
  }

  /// Explains an error whose stack goes through a fake kernel. There the fake kernel reads data; the model does not.
  void fake_reads_data() {
    out_.verdict = TextVerdict::FakeReadsData;
    out_.fake_wrong = true;
    out_.summary = fmt::format("a fake kernel{} {}, which only data give", at(),
                               i_.kind == Kind::Number ? "reads the value of a tensor argument, " + i_.expression
                                                       : "decides by " + python_condition(i_.expression));
    out_.fact("means",
              "a fake tensor has no values. A size that only data give is torch.library.get_ctx().new_dynamic_size()");
    out_.next = validate_lines("", "...");
  }

  void data() {
    const std::string condition = python_condition(i_.expression);
    const std::string branch = branch_condition(code_);
    if (is_bool()) {
      out_.verdict = TextVerdict::TensorBranch;
      out_.summary = fmt::format("data-dependent: Python decides by the value of a tensor{}{}", at(),
                                 branch.empty() ? "" : ": " + branch);
      out_.fact("guard", i_.expression);
      out_.fact("source", source_words());
      out_.fact("means",
                "the exported program has one of the two branches, and the value is known only when it runs. "
                "torch._check cannot help where both branches occur");
      out_.next = {"torch.where(condition, this, that) where both sides can be computed",
                   "torch.cond(condition, this, that, operands) else"};
      if (code_.starts_with("assert ")) {
        out_.next = {fmt::format("torch._check(({}).item()) in place of the assertion", branch)};
      }
    } else if (is_float()) {
      out_.verdict = TextVerdict::DataDependent;
      out_.summary = fmt::format("data-dependent: {} decides{}, and {} is read from a float tensor", condition, at(),
                                 float_symbol());
      out_.fact("guard", i_.expression);
      out_.fact("source", source_words());
      out_.fact("means", "the number exists only when the program runs, and the branch would be fixed by it");
      out_.next = {"torch.where on the tensor, in place of item() and the branch"};
    } else if (i_.kind == Kind::Number) {
      number();
    } else {
      guard(condition, branch);
    }
    if (!i_.suggested.empty()) out_.fact("suggested", fmt::format("by PyTorch: {}", fmt::join(i_.suggested, "; ")));
    out_.next.push_back(is_bool() || is_float() || out_.verdict == TextVerdict::TensorBranch
                            ? "ersatz.torch.propagate(model, inputs)   # where data decide, with the values seen"
                            : "ersatz.torch.propagate(model, inputs)   # the sizes that were seen, and lines to try");
    out_.next.push_back("python -m ersatz export MODULE:NAME --inputs NAME   # tries lines and rewrites beside eager");
  }

  std::string float_symbol() const {
    const size_t at = i_.expression.find("zuf");
    return std::string(leading_word(std::string_view(i_.expression).substr(at)));
  }

  void number() {
    out_.verdict = TextVerdict::DataDependent;
    out_.fact("guard", i_.expression);
    out_.fact("source", source_words());
    const bool loop = code_.starts_with("for ") || code_.starts_with("while ") || has(code_, "range(");
    const bool as_int = has(code_, "int(") || has(code_, "float(") || has(code_, "bool(");
    if (loop) {
      out_.summary = fmt::format("data-dependent: a Python loop{} runs {} times, a number that only data give", at(),
                                 i_.expression);
      out_.fact("means", "the loop would be written out as often as it runs in the sample");
      out_.next = {
          "torch._higher_order_ops.while_loop(condition, body, operands) in place of the loop, or a constant number "
          "of rounds"};
    } else if (as_int) {
      out_.summary =
          fmt::format("data-dependent: int(){} asks for the value of {}, which only data give", at(), i_.expression);
      out_.fact("means", "int() of a tensor needs the number itself; tensor.item() keeps a symbol for it");
      out_.next = {"tensor.item() in place of int(tensor)",
                   "torch._check(n <= LIMIT) behind it, where a branch or a size needs a bound"};
    } else {
      out_.summary = fmt::format("data-dependent: a Python number is needed{}, and {} is known only from data", at(),
                                 i_.expression);
      out_.fact("means",
                "something asks for the value itself: int(), range(), an index, or a kernel that takes a number");
      out_.next = {"keep tensor.item() as it is and pass it on, without int()",
                   "torch._check(n >= 0) and torch._check(n <= LIMIT), where it is a size"};
    }
  }

  void guard(const std::string& condition, const std::string& branch) {
    out_.verdict = TextVerdict::DataDependent;
    const std::string what = is_size() ? "a size that depends on data" : "a number that only data give";
    out_.summary = fmt::format("data-dependent: {} decides{}{}, and {} is {}", condition, at(),
                               branch.empty() ? "" : ": " + branch, symbols(), what);
    out_.fact("guard", i_.expression);
    out_.fact("source", source_words());
    if (!branch.empty()) {
      out_.fact("means",
                "the exported program has one of the two branches. If one of them is the only right one, say so");
      const std::string check = is_comparison(branch) ? negated(branch) : fmt::format("not ({})", branch);
      out_.next = {fmt::format("torch._check({}) in place of the branch, or torch._check({}), whichever always holds",
                               check, branch),
                   "torch.cond(condition, this, that, operands) where both occur"};
    } else {
      out_.fact("means", "an operator or a view needs to know it to give its result a shape");
      out_.next = {
          fmt::format("torch._check({}) before that line, in your names, if it always holds; else torch._check({})",
                      condition, negated(condition))};
    }
  }

  std::string symbols() const {
    std::string list;
    for (size_t at = 0; at < i_.expression.size();) {
      const std::string word(leading_word(std::string_view(i_.expression).substr(at)));
      if (word.size() > 1 && word[0] == 'u' && integer_in(std::string_view(word).substr(1)) && !has(list, word)) {
        list += (list.empty() ? "" : ", ") + word;
      }
      at += std::max<size_t>(word.size(), 1);
    }
    return list.empty() ? "it" : list;
  }

  void dim() {
    out_.verdict = TextVerdict::DynamicDim;
    out_.json["dim"] = i_.dim;
    const std::string suggested = fmt::format("{}", fmt::join(i_.suggested, "; "));
    const std::string branch = branch_condition(code_);
    if (i_.kind == Kind::DimFixed && is_comparison(branch)) {
      const std::string value = i_.constant ? std::to_string(*i_.constant) : "a constant";
      out_.summary = fmt::format("dynamic dim {}: Python decides by it{}: {}", i_.dim, at(), branch);
      out_.fact("guard", i_.expression.empty() ? fmt::format("{} == {}", i_.dim, value) : i_.expression);
      out_.fact("means",
                fmt::format("the exported program has one of the two branches, so that {} is {}", i_.dim, value));
      out_.next = {"torch.cond(condition, this, that, operands) keeps both branches",
                   fmt::format("without the Dim {} the program is exported for the size {} alone", i_.dim, value)};
    } else if (i_.kind == Kind::DimFixed) {
      const std::string value = i_.constant ? std::to_string(*i_.constant) : "a constant";
      out_.summary = fmt::format("dynamic dim {}: the code{} fixes it to {}: something there has that size itself",
                                 i_.dim, at(), value);
      out_.fact("guard", i_.expression.empty() ? fmt::format("{} == {}", i_.dim, value) : i_.expression);
      out_.fact("means",
                fmt::format("a parameter, a buffer or a number of size {} meets the dim. Let it broadcast, or make it "
                            "from the input's size. PyTorch's suggestion, {}, gives the dynamic dim up",
                            value, suggested.empty() ? fmt::format("{} = {}", i_.dim, value) : suggested));
      out_.next = {
          fmt::format("let what has size {} broadcast (size 1), or take its size from the input: x.shape[...]", value)};
    } else if (i_.kind == Kind::DimsEqual) {
      out_.summary = fmt::format("dynamic dims {} and {}: the code{} needs them equal", i_.dim, i_.other, at());
      out_.fact("guard", fmt::format("{} == {}", i_.dim, i_.other));
      out_.fact("means", "two inputs meet in one operator. Give both the same Dim");
      out_.next = {fmt::format("dynamic_shapes with one Dim for both{}", suggested.empty() ? "" : ": " + suggested)};
    } else if (i_.kind == Kind::DimGuard) {
      out_.summary = fmt::format("dynamic dim {}: the code{} does not take every size: {}", i_.dim, at(),
                                 suggested.empty() ? i_.expression : suggested_meaning());
      for (const std::string& g : i_.guards) out_.fact("guard", g);
      out_.fact("means", "the guards hold for the sizes that the suggestion leaves, and for those alone");
      out_.next = {suggested.empty()
                       ? std::string("give the Dim a range that satisfies the guards: Dim(name, min=..., max=...)")
                       : fmt::format("dynamic_shapes with {}", suggested)};
    } else {
      out_.summary = fmt::format("dynamic dim{}: the code{} decides by {}", i_.dim.empty() ? "" : " " + i_.dim, at(),
                                 python_condition(i_.expression));
      out_.fact("guard", i_.expression);
      out_.fact("means", "draft_export took the guard, so that its program holds only where the guard does");
      out_.next = {"torch.export.export says which Dim would satisfy it; or let the code work for all sizes"};
    }
    if (!i_.place)
      out_.next.push_back("torch.export.draft_export(...) names the line, and `ersatz explain` reads its report");
  }

  /// Describes a fix that torch.export suggests: `width = 2*_width` says that a dim is a multiple, `nb = na` that two
  /// are equal.
  std::string suggested_meaning() const {
    for (const std::string& line : i_.suggested) {
      const auto right = behind(line, " = ");
      if (!right || !line.starts_with(i_.dim)) continue;
      size_t taken = 0;
      const auto factor = leading_integer(*right, taken);
      if (factor && right->substr(taken).starts_with('*')) return fmt::format("it must be a multiple of {}", *factor);
      return line;
    }
    return i_.suggested.back();
  }

  void no_fake() {
    out_.verdict = TextVerdict::NoFakeKernel;
    out_.summary =
        fmt::format("{}: it has no fake kernel, so that nothing can be exported or compiled through it", i_.op);
    out_.fact("line", place_words(i_.place));
    const std::string base = without_default(i_.op);
    const size_t dot = base.find('.');
    if (dot != std::string::npos) {
      out_.next = {fmt::format("@torch.library.register_fake(\"{}::{}\")", base.substr(0, dot), base.substr(dot + 1))};
    }
    for (std::string& line : validate_lines(base, "...")) out_.next.push_back(std::move(line) + "   # then");
  }

  void wrong_fake() {
    out_.verdict = TextVerdict::FakeKernel;
    out_.fake_wrong = true;
    std::string sides = "its fake kernel predicts other metadata than its kernel returns";
    if (i_.mismatch && !i_.mismatch->real.empty()) {
      constexpr std::string_view kFields[] = {"size", "stride", "dtype", "device", "storage offset"};
      const auto field = static_cast<size_t>(i_.mismatch->field);
      sides = fmt::format("{} {} from the kernel, {} from the fake kernel", field < 5 ? kFields[field] : "metadata",
                          i_.mismatch->real, i_.mismatch->fake);
      out_.json["field"] = field < 5 ? std::string(kFields[field]) : "metadata";
      out_.json["actual"] = i_.mismatch->real;
      out_.json["expected"] = i_.mismatch->fake;
    }
    out_.summary = fmt::format("{}: {}", i_.op, sides);
    out_.fact("means",
              "export itself does not compare them; draft_export runs the kernel. It names the first field that "
              "differs: others may differ too");
    out_.next = validate_lines(without_default(i_.op), "...");
  }

  const ExportIssue& i_;
  const ReadText& text_;
  std::string code_;
  bool in_fake_ = false;
  TextAnswer out_;
};

/// The answer for a text that has the program of an export that succeeded.
TextAnswer passed(const ReadText& text) {
  TextAnswer out;
  out.verdict = TextVerdict::NothingFound;
  out.line = 1;
  const std::vector<std::string> asserted = runtime_assertions(text.lines);
  std::vector<std::string> own;
  for (const std::string& op : operators_in(text.lines)) {
    if (!is_pytorch_op(op)) own.push_back(op);
  }
  out.summary = "no error: the export passed";
  if (!asserted.empty()) {
    out.summary += fmt::format(", and the program asserts {} condition{} when it runs", asserted.size(),
                               asserted.size() == 1 ? "" : "s");
    for (const std::string& a : asserted) out.fact("asserts", python_condition(a));
  }
  out.json["asserts"] = asserted;
  out.json["own_operators"] = own;
  if (!own.empty()) {
    out.fact("unproven", fmt::format("export takes the metadata of {} from the fake kernel{}, and does not compare "
                                     "with the kernel",
                                     fmt::join(own, ", "), own.size() == 1 ? "" : "s"));
    for (const std::string& op : own) {
      for (std::string& line : validate_lines(without_default(op), "...")) out.next.push_back(std::move(line));
    }
  } else {
    out.next = {"ersatz crosscheck model.pt2   # the saved program, compared with a real run"};
  }
  return out;
}

}  // namespace

std::vector<TextAnswer> explain_export(const ReadText& text) {
  std::vector<TextAnswer> answers;
  for (const ExportIssue& issue : export_issues(text.lines, text.frames)) {
    answers.push_back(ExportAnswer(issue, text).answer());
  }
  if (answers.empty()) answers.push_back(passed(text));
  return answers;
}

std::vector<TextAnswer> explain_onnx(const ReadText& text) {
  const std::vector<OnnxStep> steps = onnx_steps(text.lines);
  const auto failed = std::find_if(steps.begin(), steps.end(),
                                   [](const OnnxStep& s) { return s.outcome == OnnxStep::Outcome::Failed; });
  nlohmann::ordered_json list = nlohmann::ordered_json::object();
  size_t passed_steps = 0;
  for (const OnnxStep& s : steps) {
    passed_steps += s.outcome == OnnxStep::Outcome::Passed;
    list[s.name] = s.outcome == OnnxStep::Outcome::Passed   ? "passed"
                   : s.outcome == OnnxStep::Outcome::Failed ? "failed"
                                                            : "not run";
  }
  std::vector<TextAnswer> answers;
  if (failed == steps.end() && !steps.empty()) {
    TextAnswer out;
    out.verdict = TextVerdict::NothingFound;
    out.line = 1;
    out.summary = fmt::format("no error: {} of {} steps of the ONNX export passed, the others were not run",
                              passed_steps, steps.size());
    out.json["steps"] = list;
    out.next = {"ersatz crosscheck model.pt2   # the exported program, compared with a real run"};
    return {std::move(out)};
  }
  std::vector<ExportIssue> issues = export_issues(text.lines, text.frames);
  for (const ExportIssue& issue : issues) {
    TextAnswer out = ExportAnswer(issue, text).answer();
    const std::string step = onnx_step(text.lines);
    out.summary = fmt::format("ONNX export stops at torch.export: {}", out.summary);
    if (failed != steps.end()) out.facts.insert(out.facts.begin(), {"step", failed->name});
    if (failed == steps.end() && !step.empty()) out.facts.insert(out.facts.begin(), {"step", step});
    out.json["steps"] = list;
    // torch.onnx tries several strategies, which often fail with equal errors. An error is listed only once.
    const bool said =
        std::any_of(answers.begin(), answers.end(), [&](const TextAnswer& a) { return a.summary == out.summary; });
    if (!said) answers.push_back(std::move(out));
  }
  if (!answers.empty()) return answers;
  TextAnswer out;
  out.line = 1;
  out.summary = fmt::format("ONNX export fails at: {}", failed == steps.end() ? onnx_step(text.lines) : failed->name);
  out.fact("means", "the error is none of torch.export's that ersatz knows; the report has it in full");
  out.json["steps"] = list;
  return {std::move(out)};
}

}  // namespace ersatz::tools
