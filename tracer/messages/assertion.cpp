#include "tracer/messages/assertion.h"

#include <algorithm>

#include "tracer/messages/python_text.h"

namespace ersatz {

namespace {

constexpr size_t kLinesAround = 4;   // number of lines around the message in which its operator is searched
constexpr size_t kLinesBefore = 16;  // number of lines before the message in which the line that raised is searched
constexpr size_t kMaxDims = 64;

/// Removes `phrase` and the integer after it from the front of `text`. Returns the integer; nullopt if `text` does not
/// begin with them.
std::optional<int64_t> take_number(std::string_view& text, std::string_view phrase) {
  if (!text.starts_with(phrase)) return std::nullopt;
  size_t taken = 0;
  const std::optional<int64_t> value = leading_integer(text.substr(phrase.size()), taken);
  if (value) text.remove_prefix(phrase.size() + taken);
  return value;
}

std::optional<DimMismatch> take_dim(std::string_view& text) {
  DimMismatch d;
  for (const auto& [phrase, number] :
       {std::pair("expected size ", &d.size), std::pair("==", &d.expected_size), std::pair(", stride ", &d.stride),
        std::pair("==", &d.expected_stride), std::pair(" at dim=", &d.dim)}) {
    const std::optional<int64_t> value = take_number(text, phrase);
    if (!value) return std::nullopt;
    *number = *value;
  }
  return d;
}

/// Returns the difference that the line reports. nullopt if the line is not the message of an assertion.
std::optional<Assertion> message_in(std::string_view line) {
  Assertion a;
  if (size_t at = line.find("expected size "); at != line.npos) {
    std::string_view rest = line.substr(at);
    while (a.dims.size() < kMaxDims) {
      const std::optional<DimMismatch> dim = take_dim(rest);
      if (!dim) break;
      a.dims.push_back(*dim);
      if (rest.starts_with("; ")) rest.remove_prefix(2);
    }
    if (a.dims.empty()) return std::nullopt;
    a.message = std::string(line.substr(at));
    return a;
  }
  if (size_t at = line.find("wrong number of dimensions"); at != line.npos) {
    std::string_view rest = line.substr(at);
    a.rank = take_number(rest, "wrong number of dimensions");
    if (!a.rank) return std::nullopt;
    if (const auto op = behind(rest, "for op: ")) a.op = plain_op_name(*op);
    a.message = std::string(line.substr(at));
    return a;
  }
  if (const auto rest = behind(line, "expected dtype torch.")) {
    const auto got = behind(*rest, " but got torch.");
    if (!got) return std::nullopt;
    a.expected_dtype = "torch." + std::string(leading_word(*rest));
    a.dtype = "torch." + std::string(leading_word(*got));
    a.message = std::string(line.substr(line.find("expected dtype")));
    return a;
  }
  if (size_t at = line.find("Expect the tensor to be "); at != line.npos) {
    std::string_view rest = line.substr(at);
    a.alignment = take_number(rest, "Expect the tensor to be ");
    const auto offset = take_number(rest, " bytes aligned. Fail due to storage_offset=");
    const auto item = take_number(rest, " itemsize=");
    if (!a.alignment || !offset || !item) return std::nullopt;
    a.offset = *offset;
    a.item_bytes = *item;
    a.message = std::string(line.substr(at));
    return a;
  }
  return std::nullopt;
}

bool has_message(std::string_view line) {
  return line.find("expected size ") != line.npos || line.find("wrong number of dim") != line.npos ||
         line.find("expected dtype ") != line.npos || line.find("Expect the tensor to be") != line.npos;
}

/// Returns NAME of `Error in op: NAME` in the lines after the message, or in the two lines before it.
std::string named_op(const std::vector<std::string>& lines, size_t at) {
  for (size_t i = at + 1; i < std::min(lines.size(), at + kLinesAround) && !has_message(lines[i]); ++i) {
    if (const auto op = behind(lines[i], "Error in op: ")) return plain_op_name(*op);
  }
  for (size_t i = at; i > 0 && at - i < 2 && !has_message(lines[i - 1]); --i) {
    if (const auto op = behind(lines[i - 1], "Error in op: ")) return plain_op_name(*op);
  }
  return {};
}

bool same(const Assertion& a, const Assertion& b) {
  return a.message == b.message && a.op == b.op && a.call.has_value() == b.call.has_value() &&
         (!a.call || a.call->names == b.call->names);
}

}  // namespace

std::string plain_op_name(std::string_view name) {
  name = trimmed(name);
  std::string plain;
  if (const auto rest = behind(name, "torch.ops.")) name = *rest;
  for (const char c : leading_word(name, ".:")) {
    if (c == ':' && (plain.empty() || plain.back() == '.')) continue;
    plain += c == ':' ? '.' : c;
  }
  while (plain.ends_with('.')) plain.pop_back();
  return plain;
}

std::optional<AssertCall> assert_call(std::string_view line) {
  line = trimmed(line);
  const size_t open = line.find('(');
  if (open == line.npos || !line.starts_with("assert_")) return std::nullopt;
  AssertCall call;
  call.function = std::string(line.substr(0, open));
  const bool aligned = call.function == "assert_alignment", grouped = call.function == "assert_size_stride_grouped";
  if (!aligned && !grouped && call.function != "assert_size_stride" && call.function != "assert_tensor_metadata") {
    return std::nullopt;
  }
  const size_t close = closing_bracket(line, open);
  if (close == line.npos) return std::nullopt;
  const std::vector<std::string> arguments = split_arguments(line.substr(open + 1, close - open - 1));
  if (arguments.size() < 2) return std::nullopt;
  size_t next = 1;
  if (aligned) {
    call.names = {arguments[0]};
    call.alignment = integer_in(arguments[next++]);
    if (!call.alignment) return std::nullopt;
  } else {
    if (arguments.size() < 3) return std::nullopt;
    const auto sizes = items_of(arguments[1]), strides = items_of(arguments[2]);
    if (!sizes || !strides) return std::nullopt;
    next = 3;
    if (grouped) {
      const auto names = items_of(arguments[0]);
      if (!names || names->size() != sizes->size() || names->size() != strides->size()) return std::nullopt;
      call.names = *names;
      for (size_t i = 0; i < names->size(); ++i) {
        const auto size = items_of((*sizes)[i]), stride = items_of((*strides)[i]);
        if (!size || !stride || size->size() != stride->size()) return std::nullopt;
        call.sizes.push_back(*size);
        call.strides.push_back(*stride);
      }
    } else {
      if (sizes->size() != strides->size()) return std::nullopt;
      call.names = {arguments[0]};
      call.sizes = {*sizes};
      call.strides = {*strides};
    }
  }
  for (; next < arguments.size(); ++next) {
    if (const auto op = unquoted(arguments[next])) {
      call.op = plain_op_name(*op);
    } else if (arguments[next].starts_with("torch.")) {
      call.dtype = arguments[next];
    }
  }
  return call;
}

std::vector<Assertion> assertions_of(const std::vector<std::string>& lines, const std::vector<Frame>& frames) {
  std::vector<Assertion> found;
  for (size_t at = 0; at < lines.size(); ++at) {
    std::optional<Assertion> a = message_in(lines[at]);
    if (!a) continue;
    a->at = at;
    if (a->op.empty()) a->op = named_op(lines, at);
    for (size_t i = at; i > 0 && at - i < kLinesBefore && !a->call; --i) {
      a->call = assert_call(lines[i - 1]);
      if (!a->call) continue;
      const auto frame =
          std::find_if(frames.rbegin(), frames.rend(), [&](const Frame& f) { return f.at + 1 == i - 1; });
      if (frame != frames.rend()) a->frame = *frame;
    }
    if (a->op.empty() && a->call) a->op = a->call->op;
    const bool seen = std::any_of(found.begin(), found.end(), [&](const Assertion& b) { return same(*a, b); });
    if (!seen) found.push_back(std::move(*a));
  }
  return found;
}

}  // namespace ersatz
