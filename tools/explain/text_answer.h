// Explains a pasted error text: its finding, its subject, which side is right as far as the text shows, and what to do
// next. tracer/messages parses the texts; nothing is executed.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracer/messages/message_kind.h"

namespace ersatz::tools {

struct NamedText {
  std::string name;  ///< of the file; `-` for stdin
  std::string text;
};

/// The kind of finding in a text. docs/jobs/errors.md lists them.
enum class TextVerdict {
  FakeKernel,         ///< a fake kernel predicts other metadata than its kernel returns
  NoFakeKernel,       ///< an operator has no fake kernel
  FakeSignature,      ///< a fake kernel does not take the schema's arguments
  FakeReadsData,      ///< a fake kernel reads the value of a tensor
  FakeRaises,         ///< a fake kernel raises something else
  Schema,             ///< schema and kernel disagree: a write or an alias that the schema does not declare
  Autograd,           ///< an autograd formula is registered in the wrong place
  Backward,           ///< a backward gives a gradient of the wrong size
  InputChanged,       ///< compiled code got an input other than it was compiled for
  InputWritten,       ///< an input that the compiled code itself may have written
  InputMade,          ///< an input that an operator outside of the compiled code made
  LaidOutByCompiler,  ///< a buffer whose layout Inductor or a library that it calls chose
  CheckerLimit,       ///< the checker itself failed
  DataDependent,      ///< export needs a number that depends on data
  TensorBranch,       ///< Python branches on a tensor's value
  DynamicDim,         ///< a dynamic dim that the code constrains
  GradientLayout,     ///< DDP's buckets and a gradient have different strides
  NothingFound,       ///< the text reports no fault
  Unknown,
};
std::string_view name(TextVerdict verdict);  ///< `fake_kernel`

struct TextAnswer {
  const MessageKindRow* kind = nullptr;
  std::string file;
  size_t line = 0;  ///< line of the file that has the error, from 1
  TextVerdict verdict = TextVerdict::Unknown;
  std::optional<bool> fake_wrong;                          ///< nullopt if the text does not show it
  std::string summary;                                     ///< the first line
  std::vector<std::pair<std::string, std::string>> facts;  ///< label and text
  std::vector<std::string> next;                           ///< commands, lines of Python, or one sentence
  nlohmann::ordered_json json = nlohmann::ordered_json::object();

  void fact(std::string label, std::string text) {
    if (!text.empty()) facts.emplace_back(std::move(label), std::move(text));
  }
};

/// One or more answers for each text with an error or a report, findings first. A text with only generated code or a
/// graph is evidence for the others; alone, it gets its own answer. Empty if no text is recognised.
std::vector<TextAnswer> explain_texts(const std::vector<NamedText>& texts);

}  // namespace ersatz::tools
