#include "tools/explain/text_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/base/error.h"
#include "runtime/op/op_name.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/layout.h"
#include "tools/explain/typed_arguments.h"
#include "tracer/messages/python_text.h"
#include "tracer/pasted/clean_lines.h"

namespace ersatz::tools {

namespace {

constexpr size_t kMaxExpression = 256;  // longest expression that is evaluated, in characters

std::string namespace_of(const std::string& op) { return op.substr(0, op.find('.')); }

std::optional<DType> dtype_named(const std::string& name) { return parse_dtype(typed_arguments(name)); }

std::string joined(std::span<const SymInt> numbers) {
  std::vector<std::string> words;
  for (const SymInt n : numbers) words.push_back(std::to_string(n.as_int()));
  return tuple_words(words);
}

/// Returns a Python expression that makes a sample tensor with this metadata.
std::string made_tensor(const TensorMeta& meta) {
  const std::string dtype = fmt::format("torch.{}", long_name(meta.dtype));
  const std::string device = meta.device.is_cpu() ? "" : ", device=\"cuda\"";
  if (meta.dim() && sym_eq(meta.strides, contiguous_strides(meta.sizes)) && meta.dtype == DType::F32) {
    return fmt::format("torch.randn{}{}", joined(meta.sizes).substr(0, joined(meta.sizes).size() - 1), device + ")");
  }
  return fmt::format("torch.empty_strided({}, {}, dtype={}{}).fill_(1)", joined(meta.sizes), joined(meta.strides),
                     dtype, device);
}

}  // namespace

ReadText read_text(const NamedText& text) {
  if (text.text.size() > kMaxMessageBytes) {
    fail_argument("{}: {} MiB are too much for an error text (at most {} MiB): cut out the traceback", text.name,
                  text.text.size() >> 20, kMaxMessageBytes >> 20);
  }
  ReadText read;
  read.name = text.name;
  read.lines = pasted::plain_lines(text.text);
  read.frames = frames_of(read.lines);
  read.code = generated_code_in(read.lines);
  std::string clean;
  for (const std::string& line : read.lines) clean += line + '\n';
  read.kind = message_kind(clean);
  return read;
}

bool is_pytorch_op(const std::string& op) {
  const std::string space = namespace_of(op);
  return space == "aten" || space == "prims" || space == "_c10d_functional" || space == "inductor" ||
         space == "quantized_decomposed" || space == "higher_order";
}

std::string without_default(const std::string& op) {
  constexpr std::string_view kDefault = ".default";
  return op.ends_with(kDefault) ? op.substr(0, op.size() - kDefault.size()) : op;
}

std::string place_words(const std::optional<Frame>& place) {
  if (!place) return {};
  const std::string code = place->code.empty() ? "" : ": " + place->code;
  return fmt::format("{}:{} in {}{}", place->file, place->line, place->function, code);
}

nlohmann::ordered_json place_json(const std::optional<Frame>& place) {
  if (!place) return nullptr;
  return {{"file", place->file}, {"line", place->line}, {"function", place->function}, {"code", place->code}};
}

std::string tuple_words(const std::vector<std::string>& items) {
  return items.size() == 1 ? fmt::format("({},)", items[0]) : fmt::format("({})", fmt::join(items, ", "));
}

std::optional<int64_t> number_of(const std::string& expression, const SymbolNumbers& numbers) {
  if (const auto plain = integer_in(expression)) return plain;
  if (expression.size() > kMaxExpression || expression.find("**") != std::string::npos) return std::nullopt;
  std::string replaced;
  for (size_t at = 0; at < expression.size();) {
    const std::string word(leading_word(std::string_view(expression).substr(at)));
    const auto number = numbers.find(word);
    if (word.empty()) {
      replaced += expression[at++];
      continue;
    }
    replaced += number == numbers.end() ? word : number->second;
    at += word.size();
  }
  try {
    ShapeEnv env;
    const SymInt value = env.parse(replaced);
    if (!value.is_symbolic()) return value.as_int();
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
  }
  return std::nullopt;
}

std::optional<std::vector<int64_t>> numbers_of(const std::vector<std::string>& expressions,
                                               const SymbolNumbers& numbers) {
  std::vector<int64_t> values;
  for (const std::string& e : expressions) {
    const std::optional<int64_t> value = number_of(e, numbers);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<TensorMeta> meta_of(const LaidOut& laid_out, const SymbolNumbers& numbers) {
  const std::optional<DType> dtype = dtype_named(laid_out.dtype);
  const auto sizes = numbers_of(laid_out.sizes, numbers), strides = numbers_of(laid_out.strides, numbers);
  if (!dtype || !sizes || !strides || sizes->size() != strides->size()) return std::nullopt;
  TensorMeta meta;
  meta.dtype = *dtype;
  for (size_t d = 0; d < sizes->size(); ++d) {
    if ((*sizes)[d] < 0 || (*strides)[d] < 0) return std::nullopt;
    meta.sizes.push_back((*sizes)[d]);
    meta.strides.push_back((*strides)[d]);
  }
  if (laid_out.device.starts_with("cuda")) meta.device = resolve(*parse_device("cuda"));
  return meta;
}

std::vector<CodeArgument> arguments_of(const MadeBuffer& made, const GeneratedCode& code) {
  std::vector<CodeArgument> arguments;
  for (const std::string& text : split_arguments(made.arguments)) {
    CodeArgument a{text, false, {}};
    const auto view = text.starts_with("reinterpret_tensor(") ? items_of(text.substr(18)) : std::nullopt;
    const auto buffer = code.buffers.find(view && !view->empty() ? (*view)[0] : text);
    if (buffer != code.buffers.end() && !code.numbers.contains(text)) {
      a.tensor = true;
      LaidOut laid_out = buffer->second.laid_out.value_or(LaidOut{});
      if (view && view->size() >= 3) {
        const auto sizes = items_of((*view)[1]), strides = items_of((*view)[2]);
        if (sizes && strides) laid_out = {*sizes, *strides, laid_out.dtype, laid_out.device};
      }
      a.meta = meta_of(laid_out, code.numbers);
    } else if (const auto number = number_of(text, code.numbers)) {
      a.text = std::to_string(*number);
    }
    arguments.push_back(std::move(a));
  }
  return arguments;
}

std::string sample_of(const std::vector<CodeArgument>& arguments) {
  std::vector<std::string> words;
  for (const CodeArgument& a : arguments) {
    if (a.tensor && !a.meta) return "...";
    words.push_back(a.tensor ? made_tensor(*a.meta) : a.text);
  }
  if (words.empty()) return "...";
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<std::string> validate_lines(const std::string& op, const std::string& sample) {
  const std::string arguments = sample == "..." ? "..." : fmt::format("({},)", sample);
  return {fmt::format("import ersatz.torch; print(ersatz.torch.validate(torch.ops.{}, [{}]))",
                      op.empty() ? "NAMESPACE.OPERATOR" : op, arguments)};
}

}  // namespace ersatz::tools
