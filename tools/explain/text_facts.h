// Helpers that all explanations use: parsed texts, values of symbols, PyTorch's names, lines of Python.
#pragma once

#include "runtime/tensor/tensor_meta.h"
#include "tools/explain/text_answer.h"
#include "tracer/messages/generated_code.h"

namespace ersatz::tools {

/// A text with its parsed parts.
struct ReadText {
  std::string name;
  std::vector<std::string> lines;
  std::vector<Frame> frames;
  GeneratedCode code;
  const MessageKindRow* kind = nullptr;
};
ReadText read_text(const NamedText& text);

/// True for an operator of PyTorch itself. Its fake kernel is then part of PyTorch too.
bool is_pytorch_op(const std::string& op);
/// Returns the operator without `.default`: `my.op` for `my.op.default`. Python code for it needs `torch.ops.` before
/// this text.
std::string without_default(const std::string& op);
/// Formats a frame: `layout.py:12 in forward: return x.view(-1)`; empty for nullopt.
std::string place_words(const std::optional<Frame>& place);
nlohmann::ordered_json place_json(const std::optional<Frame>& place);
/// Formats a Python tuple: `(4, 6)`, `(4,)`.
std::string tuple_words(const std::vector<std::string>& items);

using SymbolNumbers = std::map<std::string, std::string>;
/// Evaluates an expression of Inductor with these values for symbols. nullopt if a symbol has no value.
std::optional<int64_t> number_of(const std::string& expression, const SymbolNumbers& numbers);
std::optional<std::vector<int64_t>> numbers_of(const std::vector<std::string>& expressions,
                                               const SymbolNumbers& numbers);
/// Returns the metadata of a buffer. nullopt if its sizes, strides or dtype are not known as numbers.
std::optional<TensorMeta> meta_of(const LaidOut& laid_out, const SymbolNumbers& numbers);

/// An argument of a call in generated code.
struct CodeArgument {
  std::string text;
  bool tensor = false;             ///< a buffer, or a view of one
  std::optional<TensorMeta> meta;  ///< metadata of a tensor argument
};
std::vector<CodeArgument> arguments_of(const MadeBuffer& made, const GeneratedCode& code);
/// Writes the arguments as a sample for ersatz.torch.validate: `torch.randn(4, 6), 3`. An unknown argument is written
/// as `...`.
std::string sample_of(const std::vector<CodeArgument>& arguments);
/// Returns Python code that validates a custom operator. It has to run in the process that registers the operator.
std::vector<std::string> validate_lines(const std::string& op, const std::string& sample);

std::vector<TextAnswer> explain_assertions(const ReadText& text, const std::vector<ReadText>& all);
std::vector<TextAnswer> explain_generated_code(const ReadText& text);
std::vector<TextAnswer> explain_opcheck(const ReadText& text, const std::vector<ReadText>& all);
std::vector<TextAnswer> explain_fake_mismatches(const ReadText& text);
std::vector<TextAnswer> explain_fake_kernel_error(const ReadText& text);
std::vector<TextAnswer> explain_gradients(const ReadText& text);
std::vector<TextAnswer> explain_export(const ReadText& text);
std::vector<TextAnswer> explain_onnx(const ReadText& text);

}  // namespace ersatz::tools
