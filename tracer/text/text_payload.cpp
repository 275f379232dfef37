// Parses payloads in the text form: where a storage's bytes are, or the bytes themselves.
#include "tracer/text/text_payload.h"

#include <cstring>
#include <filesystem>

#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"

namespace ersatz {

namespace {

std::string path(TextScanner& in, const std::string& file) {
  const std::filesystem::path written = in.string("a path");
  if (written.is_absolute()) return written.string();
  return (std::filesystem::absolute(file).parent_path() / written).lexically_normal().string();
}

std::string from_hex(TextScanner& in, std::string_view digits) {
  auto digit = [&](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    in.refuse("hexadecimal digits are expected");
  };
  if (digits.size() % 2) in.refuse("an odd number of hexadecimal digits");
  std::string bytes;
  for (size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(digit(digits[i]) * 16 + digit(digits[i + 1]));
  return bytes;
}

void element(TextScanner& in, DType dtype, const Value& v, std::string& bytes) {
  const bool fits = is_float(dtype)        ? v.kind() == Value::Kind::Int || v.kind() == Value::Kind::Float
                    : dtype == DType::Bool ? v.kind() == Value::Kind::Bool
                                           : v.kind() == Value::Kind::Int;
  if (!fits || v.is_symbolic()) {
    in.refuse("{} is no {} element", to_string(v), name(dtype));
  }
  dispatch_dtype<kInlineDTypes>(dtype, [&]<class T>() {
    T item;
    if constexpr (is_float(dtype_of<T>)) {
      item = element_of<T>(v.as_double());
    } else if constexpr (dtype_of<T> == DType::Bool) {
      item = v.as_bool();
    } else {
      const int64_t n = v.as_int64();
      item = static_cast<T>(n);
      if (static_cast<int64_t>(item) != n) in.refuse("{} does not fit {}", n, name(dtype));
    }
    char raw[sizeof(T)];
    std::memcpy(raw, &item, sizeof(T));
    bytes.append(raw, sizeof(T));
  });
}

void inline_bytes(TextScanner& in, Payload& payload) {
  payload.kind = Payload::Kind::Inline;
  if (in.take_word("hex")) {
    payload.bytes = from_hex(in, in.string("hexadecimal digits"));
  } else {
    const std::string_view word = in.word("made, archive, file, hex or a dtype");
    payload.as = parse_dtype(word);
    if (!payload.as || !kInlineDTypes.has(*payload.as)) {
      in.refuse("made, archive, file, hex or a real dtype is expected, not '{}'", word);
    }
    in.expect('[');
    while (!in.take(']')) {
      element(in, *payload.as, in.literal(), payload.bytes);
      if (in.peek() != ']') in.expect(',');
    }
  }
  if (static_cast<int64_t>(payload.bytes.size()) != payload.nbytes) {
    in.refuse("{} bytes where {} are announced", payload.bytes.size(), payload.nbytes);
  }
}

}  // namespace

Payload parse_payload(TextScanner& in, const std::string& file) {
  Payload payload;
  payload.nbytes = in.integer("the number of bytes");
  in.expect_word("B");
  if (payload.nbytes < 0) in.refuse("{} bytes", payload.nbytes);
  if (in.take_word("made")) {
    payload.kind = Payload::Kind::Made;
  } else if (in.take_word("archive")) {
    payload.kind = Payload::Kind::Archive;
    payload.path = path(in, file);
    payload.entry = in.string("an entry's name");
  } else if (in.take_word("file")) {
    payload.kind = Payload::Kind::File;
    payload.path = path(in, file);
    payload.offset = in.integer("an offset");
    if (payload.offset < 0) in.refuse("offset {}", payload.offset);
  } else {
    inline_bytes(in, payload);
  }
  return payload;
}

}  // namespace ersatz
