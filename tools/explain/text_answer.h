// Explains a pasted error text: the finding, the operator or tensor concerned, and the next step. If the text shows
// which of two metadata is right, the answer says so. tracer/messages parses the texts. Nothing in them is executed.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracer/messages/message_kind.h"

namespace ersatz::tools {

struct NamedText {
  std::string name;  ///< name of the file; `-` for stdin
  std::string text;
};

/// The kind of finding in a text. docs/jobs/errors.md lists them.
enum class TextVerdict {
  FakeKernel,         ///< a fake kernel predicts metadata that differ from the kernel's result
  NoFakeKernel,       ///< an operator has no fake kernel
  FakeSignature,      ///< a fake kernel does not accept the arguments of the schema
  FakeReadsData,      ///< a fake kernel needs the value of a tensor
  FakeRaises,         ///< a fake kernel raises an error of another kind
  Schema,             ///< schema and kernel disagree: a write or an alias that the schema does not declare
  Autograd,           ///< an autograd formula is registered in the wrong place
  Backward,           ///< a backward formula returns a gradient of the wrong size
  InputChanged,       ///< compiled code got an input that differs from the one it was compiled for
  InputWritten,       ///< as InputChanged, and the compiled code itself may have written the input
  InputMade,          ///< as InputChanged, and an operator outside the compiled code made the input
  LaidOutByCompiler,  ///< a buffer whose layout was chosen by Inductor or a library that it calls
  CheckerLimit,       ///< the checker raised, not the operator
  DataDependent,      ///< export needs a number that depends on data
  TensorBranch,       ///< Python code branches on the value of a tensor
  DynamicDim,         ///< a dim that was declared dynamic is constrained by the code
  GradientLayout,     ///< a gradient and its DDP bucket have different strides
  NothingFound,       ///< the text reports no fault
  Unknown,
};
std::string_view name(TextVerdict verdict);  ///< `fake_kernel`

struct TextAnswer {
  const MessageKindRow* kind = nullptr;
  std::string file;
  size_t line = 0;  ///< line of the file that has the error, from 1
  TextVerdict verdict = TextVerdict::Unknown;
  std::optional<bool> fake_wrong;  ///< the fake kernel is wrong; nullopt if the text does not show it
  std::string summary;             ///< the first line of the answer
  std::vector<std::pair<std::string, std::string>> facts;  ///< further lines, as label and text
  std::vector<std::string> next;                           ///< next steps: commands, lines of Python, or one sentence
  nlohmann::ordered_json json = nlohmann::ordered_json::object();

  void fact(std::string label, std::string text) {
    if (!text.empty()) facts.emplace_back(std::move(label), std::move(text));
  }
};

/// Returns one or more answers for each text with an error or a report, findings first. A text with only generated code
/// or a printed graph serves as evidence for the other texts. It gets an answer only if it is the only text. Empty if
/// no text is recognised.
std::vector<TextAnswer> explain_texts(const std::vector<NamedText>& texts);

}  // namespace ersatz::tools
