#include "tracer/messages/generated_code.h"

#include <set>

#include "tracer/messages/python_text.h"

namespace ersatz {

namespace {

using By = MadeBuffer::By;

constexpr size_t kMaxBuffers = 100'000;

struct Call {
  std::string name;
  std::string inside;
  std::vector<std::string> arguments;
};

/// Parses a call `a.b.c(...)` at the start of `text`. Text after the call is ignored.
std::optional<Call> call_in(std::string_view text) {
  text = trimmed(text);
  const std::string_view name = leading_word(text, ".");
  if (name.empty() || name.size() >= text.size() || text[name.size()] != '(') return std::nullopt;
  const size_t close = closing_bracket(text, name.size());
  if (close == text.npos) return std::nullopt;
  Call call;
  call.name = std::string(name);
  call.inside = std::string(text.substr(name.size() + 1, close - name.size() - 1));
  call.arguments = split_arguments(call.inside);
  return call;
}

std::string keyword(const Call& call, std::string_view name) {
  for (const std::string& argument : call.arguments) {
    if (argument.size() > name.size() && argument.starts_with(name) && argument[name.size()] == '=')
      return argument.substr(name.size() + 1);
  }
  return {};
}

/// Reads the layout from a call's arguments: argument `first` has the sizes, the next one the strides.
std::optional<LaidOut> laid_out(const Call& call, size_t first) {
  if (call.arguments.size() < first + 2) return std::nullopt;
  const auto sizes = items_of(call.arguments[first]), strides = items_of(call.arguments[first + 1]);
  if (!sizes || !strides || sizes->size() != strides->size()) return std::nullopt;
  LaidOut out{*sizes, *strides, keyword(call, "dtype"), unquoted(keyword(call, "device")).value_or("")};
  for (size_t i = first + 2; i < call.arguments.size(); ++i) {
    if (call.arguments[i].starts_with("torch.")) out.dtype = call.arguments[i];
  }
  return out;
}

class Reader {
 public:
  explicit Reader(GeneratedCode& code) : code_(code) {}

  void read(std::string_view line, size_t number) {
    line = trimmed(line);
    number_ = number;
    if (line.empty() || line[0] == '#') return;
    if (line.starts_with("assert_")) return read_assert(line);
    if (line.ends_with(" = args")) return read_inputs(line.substr(0, line.size() - 7));
    if (line.starts_with("return (")) {
      if (const auto items = items_of(line.substr(7))) code_.returned = *items;
      return;
    }
    const size_t equals = line.find(" = ");
    if (equals != line.npos && is_python_name(line.substr(0, equals))) {
      if (code_.buffers.size() < kMaxBuffers) read_assignment(line.substr(0, equals), line.substr(equals + 3));
      return;
    }
    if (const auto call = call_in(line)) read_call(*call);
  }

 private:
  void read_assert(std::string_view line) {
    std::optional<AssertCall> call = assert_call(line);
    if (!call) return;
    for (size_t i = 0; i < call->names.size() && i < call->sizes.size(); ++i) {
      MadeBuffer& buffer = code_.buffers[call->names[i]];
      if (buffer.laid_out) continue;
      buffer.laid_out = LaidOut{call->sizes[i], call->strides[i], call->dtype, ""};
    }
    code_.asserts.push_back({std::move(*call), number_});
  }

  void read_inputs(std::string_view names) {
    code_.inputs = split_arguments(names);
    for (const std::string& name : code_.inputs) {
      code_.buffers[name].by = By::Input;
      code_.buffers[name].line = number_;
    }
  }

  void read_assignment(std::string_view left, std::string_view right) {
    const std::string name(left);
    right = right.substr(0, right.find(";"));
    right = trimmed(right);
    if (integer_in(right)) {  // get_args assigns an example value to each symbolic input
      numbers_[name] = std::string(right);
      return;
    }
    const auto call = call_in(right);
    if (call && call->name == "rand_strided") {
      MadeBuffer& input = code_.buffers[name];
      const std::optional<LaidOut> example = laid_out(*call, 0);
      if (!example) return;
      if (!input.laid_out) {
        input.laid_out = example;
      } else {
        input.laid_out->dtype = example->dtype;
        input.laid_out->device = example->device;
      }
      return;
    }
    if (is_python_name(right)) {  // a name that is assigned to a name: s77 = arg0_1, buf6 = buf2
      if (code_.buffers.contains(std::string(right))) {
        code_.buffers[name] = code_.buffers[std::string(right)];
        symbols_[name] = std::string(right);
      }
      return;
    }
    MadeBuffer made;
    made.line = number_;
    if (call) {
      if (!read_made(*call, made)) return;
    } else if (right.ends_with(']') && !element(right, made)) {
      return;
    }
    code_.buffers[name] = std::move(made);
  }

  /// Parses `buf1[1]`, which takes an element from a tuple of results.
  bool element(std::string_view right, MadeBuffer& made) const {
    const size_t open = right.find('[');
    const auto whole = code_.buffers.find(std::string(right.substr(0, open)));
    const auto index = integer_in(right.substr(open + 1, right.size() - open - 2));
    if (whole == code_.buffers.end() || !index || *index < 0) return false;
    made = whole->second;
    made.laid_out.reset();
    made.line = number_;
    made.result = *index;
    return true;
  }

  static bool read_made(const Call& call, MadeBuffer& made) {
    if (call.name.starts_with("torch.ops.")) {
      made.by = By::Operator;
      made.op = plain_op_name(call.name);
    } else if (call.name.starts_with("extern_kernels.")) {
      made.by = By::Library;
      made.op = call.name;
    } else if (call.name.starts_with("empty_strided")) {
      made.by = By::Inductor;
      made.laid_out = laid_out(call, 0);
      for (const std::string_view device : {"cpu", "cuda", "xpu", "mtia"}) {
        if (made.laid_out && call.name.ends_with(device)) made.laid_out->device = std::string(device);
      }
    } else if (call.name == "reinterpret_tensor" || call.name.ends_with("alloc_from_pool")) {
      made.by = By::Inductor;
      made.laid_out = laid_out(call, 1);
    } else {
      return false;
    }
    made.arguments = call.inside;
    return true;
  }

  /// Parses a call whose result is not assigned. The generated code makes the call because the operator writes to its
  /// arguments.
  void read_call(const Call& call) {
    if (call.name.starts_with("torch.ops."))
      code_.writes.push_back({plain_op_name(call.name), call.arguments, number_});
  }

 public:
  void finish() {
    for (const auto& [symbol, input] : symbols_) {
      if (const auto number = numbers_.find(input); number != numbers_.end()) code_.numbers[symbol] = number->second;
    }
    std::set<std::string> asserted;
    for (const PlacedAssert& a : code_.asserts) asserted.insert(a.call.names.begin(), a.call.names.end());
    for (auto& [name, buffer] : code_.buffers) {  // if a fallback kernel has a single result, its buffer is not a tuple
      if (buffer.by == By::Operator && !buffer.result && asserted.contains(name)) buffer.result = 0;
    }
  }

 private:
  GeneratedCode& code_;
  size_t number_ = 0;
  std::map<std::string, std::string> numbers_, symbols_;
};

}  // namespace

GeneratedCode generated_code_in(const std::vector<std::string>& lines) {
  GeneratedCode code;
  Reader reader(code);
  for (size_t i = 0; i < lines.size(); ++i) reader.read(lines[i], i);
  reader.finish();
  return code;
}

}  // namespace ersatz
