// libFuzzer: metadata text. It is refused with an Error, or prints and parses back to equal metadata.
#include <cstdio>
#include <cstdlib>

#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"

using namespace ersatz;

namespace {
void check(bool ok, std::string_view what, const std::string& text) {
  if (ok) return;
  std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(what.size()), what.data(), text.c_str());
  std::abort();
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  ShapeEnv env;
  for (ShapeEnv* with : {static_cast<ShapeEnv*>(nullptr), &env}) {
    MetaText parsed;
    try {
      parsed = parse_meta_text(text, with);
    } catch (const Error& e) {
      check(e.kind == ErrorKind::InvalidArgument, "the refusal is our bug", e.message);
      continue;
    }
    for (MetaStyle style : {MetaStyle::Full, MetaStyle::People}) {
      std::string printed = to_string(parsed, style);
      try {
        MetaText again = parse_meta_text(printed, with);
        check(again == parsed, "comes back as something else", printed);
        check(to_string(again, style) == printed, "prints differently the second time", printed);
      } catch (const Error& e) {
        check(false, e.message, printed);
      }
    }
  }
  return 0;
}
