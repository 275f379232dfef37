// A text that somebody pasted, explained: what it says, of what, which side is right as far as the text shows it, and
// what to do next. Texts are read by tracer/messages; nothing is executed.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracer/messages/message_kind.h"

namespace ersatz::tools {

struct NamedText {
  std::string name;  ///< of the file; `-`
  std::string text;
};

/// The finding of a text, in one word. docs/jobs/errors.md has the list.
enum class TextVerdict {
  FakeKernel,         ///< a fake kernel predicts other metadata than its kernel returns
  NoFakeKernel,       ///< an operator has no fake kernel
  FakeSignature,      ///< a fake kernel does not take the schema's arguments
  FakeReadsData,      ///< a fake kernel reads the value of a tensor
  FakeRaises,         ///< a fake kernel raises something else
  Schema,             ///< schema and kernel disagree: a write or an alias that the schema does not declare
  Autograd,           ///< an autograd formula is registered in the wrong place
  Backward,           ///< a backward gives a gradient of the wrong size
  InputChanged,       ///< compiled code got another input than it was compiled for
  InputWritten,       ///< an input that the compiled code itself may have changed
  InputMade,          ///< an input that an operator made outside of the compiled code
  LaidOutByCompiler,  ///< a buffer that Inductor or a library that it calls laid out
  CheckerLimit,       ///< the checker itself failed
  DataDependent,      ///< export met a number that only data give
  TensorBranch,       ///< Python decides by a tensor's value
  DynamicDim,         ///< a dynamic dim that the code does not leave free
  GradientLayout,     ///< DDP's buckets and a gradient have other strides
  NothingFound,       ///< the text reports no fault
  Unknown,
};
std::string_view name(TextVerdict verdict);  ///< `fake_kernel`

struct TextAnswer {
  const MessageKindRow* kind = nullptr;
  std::string file;
  size_t line = 0;  ///< which line of the file says it, from 1
  TextVerdict verdict = TextVerdict::Unknown;
  std::optional<bool> fake_wrong;                          ///< none: the text does not show it
  std::string summary;                                     ///< the first line
  std::vector<std::pair<std::string, std::string>> facts;  ///< label and text
  std::vector<std::string> next;                           ///< commands, lines of Python, or one sentence
  nlohmann::ordered_json json = nlohmann::ordered_json::object();

  void fact(std::string label, std::string text) {
    if (!text.empty()) facts.emplace_back(std::move(label), std::move(text));
  }
};

/// One or more for each text that has an error or a report, findings first. A text with only generated code or a graph
/// serves the others as evidence, and is answered by itself where it is alone. Empty where nothing is recognised.
std::vector<TextAnswer> explain_texts(const std::vector<NamedText>& texts);

}  // namespace ersatz::tools
