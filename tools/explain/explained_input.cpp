// Explains an input of compiled code that differs from the input that the code was compiled for. Finds the call that
// made or wrote the input.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/explain/asserted.h"
#include "tracer/messages/python_text.h"

namespace ersatz::tools {

namespace {

class InputAnswer {
 public:
  InputAnswer(const Asserted& asserted, TextAnswer& out) : a_(asserted), out_(out) {}

  void explain() {
    const auto [is, was] = a_.both();
    const std::string met = a_.said.alignment ? fmt::format("{}, and the code needs it {}", is, was)
                                              : fmt::format("{}, and the code was compiled for {}", is, was);
    out_.fact("asserted", a_.place_words());
    out_.fact("was there", a_.actual && !a_.said.alignment ? a_.actual->words() : is);
    out_.fact("expected", a_.expected ? a_.expected->words() : was);
    out_.json["op"] = nullptr;
    const Frame* from = caller();
    const bool dynamo = through_dynamo();
    if (const std::string op = writer(from, dynamo); !op.empty()) {
      out_.verdict = TextVerdict::InputWritten;
      out_.json["op"] = op;
      out_.summary = fmt::format(
          "{} of compiled code: {}: {} in the same code writes it, and may have changed it in an "
          "earlier call",
          input_words(), met, op);
      out_.fact("means",
                fmt::format("the assertion is about an argument, not about a result. If the kernel of {} resizes "
                            "its argument, no fake kernel can say so: return a new tensor instead",
                            op));
      out_.next = validate_lines(without_default(op), "...");
      return;
    }
    const std::vector<std::string> ops = from && !dynamo ? operators_called(from->code) : std::vector<std::string>();
    const ReadText* piece = piece_before();
    if (!ops.empty()) {
      out_.verdict = TextVerdict::InputMade;
      out_.json["op"] = ops.back();
      out_.summary =
          fmt::format("{} of compiled code: {}: {} made it, outside of this code", input_words(), met, ops.back());
      out_.fact("caller", place_words(*from));
      out_.fact("means",
                fmt::format("the code that was compiled for this input took its layout from a prediction. If that "
                            "was the fake kernel of {}, it differs from the kernel",
                            ops.back()));
      out_.next = validate_lines(ops.back(), "...");
    } else if (piece) {
      out_.verdict = TextVerdict::InputMade;
      out_.summary =
          fmt::format("{} of compiled code: {}: what ran between two compiled pieces made it", input_words(), met);
      out_.fact("piece", fmt::format("{} returns a tensor of these sizes, laid out as expected", piece->name));
      out_.fact("means",
                "an operator that runs between the pieces returns another layout than its fake kernel said, or "
                "the caller passes another tensor");
      out_.next = validate_lines("", "...");
    } else {
      out_.verdict = TextVerdict::InputChanged;
      const bool checked = dynamo || a_.said.alignment;
      if (checked) out_.fake_wrong = false;
      out_.summary = fmt::format("{} of compiled code: {}: {}", input_words(), met,
                                 checked ? "no operator's result, and no fake kernel is to blame"
                                         : "it was made before this code ran, by none of its operators");
      if (from) out_.fact("caller", place_words(*from));
      out_.fact("means", changed_words(dynamo));
      out_.next = {next_for_input()};
    }
  }

 private:
  /// Returns the user's frame that called the compiled code.
  const Frame* caller() const {
    const Frame* last = nullptr;
    for (const Frame& f : a_.text.frames) {
      if (f.at >= a_.said.at) break;
      if (!is_library(f) && !is_generated(f) && !(a_.said.frame && f.at == a_.said.frame->at)) last = &f;
    }
    return last;
  }

  bool stack_has(std::string_view part) const {
    return std::any_of(a_.text.frames.begin(), a_.text.frames.end(),
                       [&](const Frame& f) { return f.at < a_.said.at && f.file.find(part) != std::string::npos; });
  }
  /// True if the code was called through Dynamo, whose guards check each input. If a graph was split into pieces, no
  /// guards check the inputs of a piece.
  bool through_dynamo() const {
    return stack_has("_dynamo/") && !stack_has("<eval_with_key>") && !stack_has("/fx/graph_module.py") &&
           !stack_has("/fx/interpreter.py");
  }

  /// Returns the operators that a line calls as `torch.ops.my.op(x)`.
  static std::vector<std::string> operators_called(std::string_view code) {
    std::vector<std::string> ops;
    for (auto rest = behind(code, "torch.ops."); rest; rest = behind(*rest, "torch.ops.")) {
      const std::string op = plain_op_name(leading_word(*rest, "."));
      if (rest->substr(leading_word(*rest, ".").size()).starts_with('(')) ops.push_back(op);
    }
    return ops;
  }

  /// Returns an operator that may have resized the input in an earlier call. If the generated code is known, this is an
  /// operator that writes the input. Else it is an operator in the user's line `from` whose name ends in `_`.
  std::string writer(const Frame* from, bool dynamo) const {
    if (a_.field() != "size" && a_.field() != "rank") return {};
    if (a_.code && !a_.code->code.inputs.empty()) {
      for (const WrittenBy& w : a_.code->code.writes) {
        if (std::find(w.arguments.begin(), w.arguments.end(), a_.name) != w.arguments.end()) return w.op;
      }
      return {};
    }
    if (!from || !dynamo) return {};
    for (const std::string& op : operators_called(from->code)) {
      if (op.ends_with('_')) return op;
    }
    return {};
  }

  /// Finds another compiled graph that returns a tensor with the sizes and strides that this code expects of its input.
  const ReadText* piece_before() const {
    if (!a_.expected) return nullptr;
    const auto sizes = numbers_of(a_.expected->sizes, {}), strides = numbers_of(a_.expected->strides, {});
    for (const ReadText& t : a_.all) {
      if (&t == a_.code || &t == &a_.text || !sizes) continue;
      for (const std::string& returned : t.code.returned) {
        const auto view = returned.starts_with("reinterpret_tensor(") ? items_of(returned.substr(18)) : std::nullopt;
        std::optional<LaidOut> is;
        if (view && view->size() >= 3) {
          const auto s = items_of((*view)[1]), st = items_of((*view)[2]);
          if (s && st) is = LaidOut{*s, *st, "", ""};
        } else if (const auto b = t.code.buffers.find(returned); b != t.code.buffers.end()) {
          is = b->second.laid_out;
        }
        if (is && numbers_of(is->sizes, t.code.numbers) == sizes && numbers_of(is->strides, t.code.numbers) == strides)
          return &t;
      }
    }
    return nullptr;
  }

  std::string input_words() const {
    if (!a_.name.empty()) {
      std::string words = "input " + a_.name;
      if (a_.code) {
        const auto& inputs = a_.code->code.inputs;
        const auto at = std::find(inputs.begin(), inputs.end(), a_.name);
        if (at != inputs.end() && inputs.size() > 1) {
          words += fmt::format(" (number {} of {})", at - inputs.begin() + 1, inputs.size());
        }
      }
      return words;
    }
    if (a_.candidates.empty()) return "an input";
    return fmt::format("one of the inputs {}", fmt::join(a_.candidates, ", "));
  }

  std::string changed_words(bool dynamo) const {
    if (a_.said.alignment) {
      return fmt::format("the tensor starts {} bytes into its storage. A copy is aligned: x.clone()",
                         a_.said.offset * a_.said.item_bytes);
    }
    const std::string guards =
        dynamo
            ? "Guards that would compile again were dropped (guard_filter_fn, a stance, a cache), or do not cover it: "
              "a parameter or buffer that was replaced"
            : "Code that is called without Dynamo has no guards. If an operator made the tensor, its fake kernel may "
              "differ "
              "from its kernel: check that operator";
    if (a_.field() == "size" || a_.field() == "rank") {
      return fmt::format(
          "the call passes a tensor of other sizes than the one that was compiled for: an argument, a "
          "parameter or a buffer. {}",
          guards);
    }
    if (a_.field() == "dtype") return fmt::format("the call passes a tensor of another dtype. {}", guards);
    return fmt::format("the call passes a tensor with the same sizes in another layout. {}", guards);
  }

  std::string next_for_input() const {
    if (a_.said.alignment) return "pass a tensor that starts its storage, or x.clone()";
    if (a_.field() == "stride")
      return "pass x.contiguous(), or compile with the guards that see it: TORCH_LOGS=recompiles";
    return "compile with dynamic=True, or with the guards that see it: TORCH_LOGS=recompiles";
  }

  const Asserted& a_;
  TextAnswer& out_;
};

}  // namespace

void explain_input(const Asserted& asserted, TextAnswer& out) { InputAnswer(asserted, out).explain(); }

}  // namespace ersatz::tools
