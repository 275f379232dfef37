#include "tools/explain/asserted.h"

#include <fmt/format.h>

#include <algorithm>

#include "tracer/messages/python_text.h"

namespace ersatz::tools {

namespace {

/// True for names like `buf12`, which Inductor gives to buffers that generated code allocates. Inputs have other names.
bool is_buffer_name(const std::string& name) {
  return name.starts_with("buf") && integer_in(std::string_view(name).substr(3)).has_value();
}

}  // namespace

Asserted::Asserted(const Assertion& assertion, const ReadText& read, const std::vector<ReadText>& others)
    : said(assertion), text(read), all(others), call(assertion.call) {
  find_call();
  find_code();
  find_name();
  set_sides();
}

std::string Asserted::field() const {
  if (!said.expected_dtype.empty()) return "dtype";
  if (said.alignment) return "offset";
  if (said.rank) return "rank";
  const bool sizes =
      std::any_of(said.dims.begin(), said.dims.end(), [](const DimMismatch& d) { return d.size != d.expected_size; });
  return sizes ? "size" : "stride";
}

/// True if tensor i can be the one that failed. An assertion may check several tensors, and its message does not name
/// the one that failed.
bool Asserted::fits(const AssertCall& call, size_t i, const SymbolNumbers& numbers) const {
  if (said.rank) return i < call.sizes.size() && static_cast<int64_t>(call.sizes[i].size()) != *said.rank;
  for (const DimMismatch& d : said.dims) {
    if (i >= call.sizes.size() || d.dim < 0 || static_cast<size_t>(d.dim) >= call.sizes[i].size()) return false;
    const auto size = number_of(call.sizes[i][static_cast<size_t>(d.dim)], numbers);
    const auto stride = number_of(call.strides[i][static_cast<size_t>(d.dim)], numbers);
    if (size.value_or(d.expected_size) != d.expected_size || stride.value_or(d.expected_stride) != d.expected_stride)
      return false;
  }
  return said.dtype.empty() || call.dtype.empty() || call.dtype == said.expected_dtype;
}

/// Finds the assertion that raised. Without a traceback, it can be found only if exactly one assertion in the code
/// matches the message.
void Asserted::find_call() {
  call = said.call;
  if (call) return;
  std::vector<const AssertCall*> fitting;
  for (const ReadText& t : all) {
    for (const PlacedAssert& p : t.code.asserts) {
      if (p.call.op != said.op || p.call.alignment.has_value() != said.alignment.has_value()) continue;
      for (size_t i = 0; i < p.call.names.size(); ++i) {
        if (!said.alignment && !fits(p.call, i, t.code.numbers)) continue;
        fitting.push_back(&p.call);
        break;
      }
    }
  }
  if (fitting.size() == 1) call = *fitting[0];
}

/// Finds the text with the generated code that contains this assertion.
void Asserted::find_code() {
  for (const ReadText& t : all) {
    for (const PlacedAssert& p : t.code.asserts) {
      if (!call || p.call.names != call->names || p.call.sizes != call->sizes || p.call.strides != call->strides)
        continue;
      // A traceback has only the line that raised. So of all texts with the assertion, the one with the most buffers is
      // taken.
      if (!code || t.code.buffers.size() > code->code.buffers.size()) code = &t;
    }
  }
}

const SymbolNumbers& Asserted::numbers() const {
  static const SymbolNumbers none;
  return code ? code->code.numbers : none;
}

void Asserted::find_name() {
  if (!call) return;
  std::vector<size_t> fitting;
  for (size_t i = 0; i < call->names.size(); ++i) {
    if (call->names.size() == 1 || fits(*call, i, numbers())) fitting.push_back(i);
  }
  for (const size_t i : fitting) candidates.push_back(call->names[i]);
  if (fitting.size() != 1) return;
  index_ = fitting[0];
  name = call->names[index_];
  if (!code) return;
  const auto made = code->code.buffers.find(name);
  if (made != code->code.buffers.end() && (made->second.by != MadeBuffer::By::Other || made->second.line))
    buffer = &made->second;
}

void Asserted::set_sides() {
  if (!name.empty() && index_ < call->sizes.size()) {
    AssertedSide e{call->sizes[index_], call->strides[index_], call->dtype};
    for (std::vector<std::string>* list : {&e.sizes, &e.strides}) {
      for (std::string& word : *list) {
        if (const auto n = number_of(word, numbers())) word = std::to_string(*n);
      }
    }
    expected = e;
  }
  if (!expected) return;
  for (const DimMismatch& d : said.dims) {  // the message has numbers in place of symbols
    if (static_cast<size_t>(d.dim) >= expected->sizes.size()) return;
    expected->sizes[static_cast<size_t>(d.dim)] = std::to_string(d.expected_size);
    expected->strides[static_cast<size_t>(d.dim)] = std::to_string(d.expected_stride);
  }
  if (said.rank) return;
  actual = expected;
  for (const DimMismatch& d : said.dims) {
    actual->sizes[static_cast<size_t>(d.dim)] = std::to_string(d.size);
    actual->strides[static_cast<size_t>(d.dim)] = std::to_string(d.stride);
  }
  if (!said.dtype.empty()) actual->dtype = said.dtype;
}

bool Asserted::is_input() const {
  if (said.op == "input" || (buffer && buffer->by == MadeBuffer::By::Input)) return true;
  return !name.empty() && !buffer && !is_buffer_name(name);
}

std::pair<std::string, std::string> Asserted::both() const {
  if (!said.expected_dtype.empty()) return {"dtype " + said.dtype, said.expected_dtype};
  if (said.alignment) {
    return {fmt::format("storage offset {} of {}-byte elements", said.offset, said.item_bytes),
            fmt::format("{} bytes aligned", *said.alignment)};
  }
  if (said.rank) {
    const std::string dims = fmt::format("{} dim{}", *said.rank, *said.rank == 1 ? "" : "s");
    return {dims, expected ? std::to_string(expected->sizes.size()) : std::string("another number")};
  }
  const bool size = field() == "size";
  if (actual) {
    return {fmt::format("{} {}", field(), tuple_words(size ? actual->sizes : actual->strides)),
            tuple_words(size ? expected->sizes : expected->strides)};
  }
  std::string is, was;
  for (const DimMismatch& d : said.dims) {
    if (size && d.size == d.expected_size) continue;
    is += fmt::format("{}{}", is.empty() ? "" : " and ", size ? d.size : d.stride);
    is += fmt::format(" at dim {}", d.dim);
    was += fmt::format("{}{}", was.empty() ? "" : " and ", size ? d.expected_size : d.expected_stride);
  }
  return {fmt::format("{} {}", field(), is), was};
}

std::string Asserted::place_words() const {
  const std::string at = tools::place_words(said.frame);
  if (!at.empty())
    return fmt::format("{} at {}:{}", name.empty() ? "a tensor" : name, said.frame->file, said.frame->line);
  return name.empty() ? "" : name;
}

}  // namespace ersatz::tools
