// Shared by the parts of an explanation: the texts once read, numbers for symbols, PyTorch's names, lines of Python.
#pragma once

#include "runtime/tensor/tensor_meta.h"
#include "tools/explain/text_answer.h"
#include "tracer/messages/generated_code.h"

namespace ersatz::tools {

/// A text with what several answers need of it.
struct ReadText {
  std::string name;
  std::vector<std::string> lines;
  std::vector<Frame> frames;
  GeneratedCode code;
  const MessageKindRow* kind = nullptr;
};
ReadText read_text(const NamedText& text);

/// Is the operator PyTorch's own, so that its fake kernel is PyTorch's too?
bool is_pytorch_op(const std::string& op);
/// The overload that nobody writes left out: `my.op` of `my.op.default`; for lines of Python with `torch.ops.` before.
std::string without_default(const std::string& op);
/// `layout.py:12 in forward: return x.view(-1)`; empty for none.
std::string place_words(const std::optional<Frame>& place);
nlohmann::ordered_json place_json(const std::optional<Frame>& place);
/// `(4, 6)`, `(4,)`.
std::string tuple_words(const std::vector<std::string>& items);

using SymbolNumbers = std::map<std::string, std::string>;
/// An expression of Inductor's as a number, with these numbers for symbols; none where a symbol is left.
std::optional<int64_t> number_of(const std::string& expression, const SymbolNumbers& numbers);
std::optional<std::vector<int64_t>> numbers_of(const std::vector<std::string>& expressions,
                                               const SymbolNumbers& numbers);
/// Metadata of a buffer; none where sizes, strides or dtype are not known as numbers.
std::optional<TensorMeta> meta_of(const LaidOut& laid_out, const SymbolNumbers& numbers);

/// An argument of a call in generated code.
struct CodeArgument {
  std::string text;
  bool tensor = false;             ///< a buffer, or a view of one
  std::optional<TensorMeta> meta;  ///< of a tensor
};
std::vector<CodeArgument> arguments_of(const MadeBuffer& made, const GeneratedCode& code);
/// The arguments as a sample for ersatz.torch.validate: `torch.randn(4, 6), 3`; `...` where an argument is not known.
std::string sample_of(const std::vector<CodeArgument>& arguments);
/// Lines that look at an operator of one's own where it is registered.
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
