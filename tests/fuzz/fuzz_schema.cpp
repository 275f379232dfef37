// libFuzzer: schemas and arguments. The first line is a schema, the rest are arguments of a call. Printing a parsed
// text, parsing that and printing again gives an equal text. Errors are InvalidArgument.
#include <cstdlib>

#include "runtime/op/literal.h"
#include "runtime/op/schema.h"

namespace {

void check(bool ok) {
  if (!ok) std::abort();
}

/// True if `f` returned, false if it was refused. Any other exception ends the run.
template <class F>
bool accepted(F&& f) {
  try {
    f();
    return true;
  } catch (const ersatz::Error& e) {
    check(e.kind == ersatz::ErrorKind::InvalidArgument);
    check(e.message.find('\n') == std::string::npos);
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  size_t line = input.find('\n');
  std::string_view text = input.substr(0, line);
  std::string_view arguments = line == std::string_view::npos ? std::string_view() : input.substr(line + 1);
  (void)ersatz::canonical_op_name(text);

  ersatz::FunctionSchema schema;
  if (!accepted([&] { schema = ersatz::parse_schema(text); })) return 0;
  std::string printed = to_string(schema);
  check(to_string(ersatz::parse_schema(printed)) == printed);

  ersatz::ParsedArguments parsed;
  if (!accepted([&] { parsed = ersatz::parse_arguments(arguments, {}); })) return 0;
  std::vector<ersatz::Value> bound;
  if (!accepted([&] { bound = bind_arguments(schema, parsed.positional, parsed.keywords); })) return 0;
  check(bound.size() == schema.arguments.size());
  std::vector<ersatz::Value> again = bind_arguments(schema, bound);  // bound arguments are unchanged by binding
  for (size_t i = 0; i < bound.size(); ++i) check(again[i] == bound[i]);
  return 0;
}
