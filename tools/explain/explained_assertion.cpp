// Explains failed assertions of Inductor's generated code, and generated code without an error.
#include <fmt/format.h>

#include <algorithm>

#include "tools/explain/asserted.h"

namespace ersatz::tools {

namespace {

TextAnswer explain_assertion(const Asserted& a) {
  TextAnswer out;
  out.line = a.said.at + 1;
  out.json["message"] = a.said.message;
  out.json["field"] = a.field();
  const MadeBuffer::By by = a.buffer ? a.buffer->by : MadeBuffer::By::Other;
  std::string what = "result";
  if (a.is_input()) {
    what = "input";
    explain_input(a, out);
  } else if (by == MadeBuffer::By::Library || by == MadeBuffer::By::Inductor) {
    what = "buffer";
    explain_compilers_buffer(a, out);
  } else {
    explain_result(a, out);
  }
  out.json["asserted"] = {{"name", a.name}, {"is", what}, {"candidates", a.candidates}};
  if (a.actual) out.json["actual"] = a.actual->json();
  if (a.expected) out.json["expected"] = a.expected->json();
  out.json["place"] = place_json(a.said.frame);
  return out;
}

}  // namespace

std::vector<TextAnswer> explain_assertions(const ReadText& text, const std::vector<ReadText>& all) {
  std::vector<TextAnswer> answers;
  for (const Assertion& a : assertions_of(text.lines, text.frames)) {
    answers.push_back(explain_assertion(Asserted(a, text, all)));
  }
  return answers;
}

std::vector<TextAnswer> explain_generated_code(const ReadText& text) {
  const GeneratedCode& code = text.code;
  if (code.asserts.empty()) return {};
  TextAnswer out;
  size_t results = 0, inputs = 0;
  std::vector<std::string> ops;
  nlohmann::ordered_json asserted = nlohmann::ordered_json::array();
  for (const PlacedAssert& p : code.asserts) {
    if (p.call.alignment) continue;
    for (size_t i = 0; i < p.call.names.size(); ++i) {
      const auto made = code.buffers.find(p.call.names[i]);
      const bool input =
          p.call.op == "input" || (made != code.buffers.end() && made->second.by == MadeBuffer::By::Input);
      const std::string op = input                        ? ""
                             : !p.call.op.empty()         ? p.call.op
                             : made != code.buffers.end() ? made->second.op
                                                          : "";
      ++(input ? inputs : results);
      AssertedSide side{p.call.sizes[i], p.call.strides[i], p.call.dtype};
      nlohmann::ordered_json row = {{"name", p.call.names[i]},
                                    {"is", input ? "input" : "result"},
                                    {"op", op},
                                    {"line", p.line + 1},
                                    {"expected", side.json()}};
      asserted.push_back(row);
      if (input) continue;
      if (std::find(ops.begin(), ops.end(), op) == ops.end()) ops.push_back(op);
      const bool numbered = made != code.buffers.end() && made->second.result;
      const std::string which = numbered ? fmt::format(", result {}", *made->second.result) : std::string();
      if (!op.empty()) out.fact(p.call.names[i], fmt::format("{}{}: {}", op, which, side.words()));
    }
  }
  out.line = code.asserts[0].line + 1;
  out.verdict = TextVerdict::NothingFound;
  out.summary = fmt::format(
      "generated code that asserts {} result{} of {} operator{} and {} input{}; it has no error in it", results,
      results == 1 ? "" : "s", ops.size(), ops.size() == 1 ? "" : "s", inputs, inputs == 1 ? "" : "s");
  out.fact("means",
           "an assertion of a result expects what the operator's fake kernel returned when the code was compiled");
  out.next = {fmt::format("ersatz explain EXCEPTION.txt {}   # with the error that it raised", text.name)};
  out.json["asserts"] = std::move(asserted);
  return {std::move(out)};
}

}  // namespace ersatz::tools
