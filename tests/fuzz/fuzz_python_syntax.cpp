// libFuzzer: single lines, for the small parsers of pasted texts. Each parser returns a value with positions inside the
// line, or refuses it.
#include <cstdint>
#include <cstdlib>

#include "runtime/base/error.h"
#include "tracer/pasted/annotation.h"
#include "tracer/pasted/graph_listing.h"
#include "tracer/pasted/graph_text.h"
#include "tracer/pasted/open_brackets.h"
#include "tracer/pasted/torch_trace.h"
#include "tracer/pasted/words.h"

namespace {

using namespace ersatz;

void check(const pasted::Expr& e, size_t size) {
  if (e.begin > e.end || e.end > size) std::abort();
  if (e.kind == pasted::Expr::Kind::Call && e.keywords.size() >= e.items.size()) std::abort();
  for (const pasted::Expr& item : e.items) check(item, size);
}

template <typename F>
void refused_or(F&& read) {
  try {
    read();
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  refused_or([&] {
    for (const pasted::PyStatement& s : pasted::parse_statements(text)) {
      for (const pasted::Expr& target : s.targets) check(target, size);
      if (s.value) check(*s.value, size);
    }
    // A line that parses as statements has balanced brackets.
    if (text.find('#') == text.npos && text.find('\\') == text.npos && !pasted::is_balanced(text)) std::abort();
  });
  refused_or([&] { pasted::parse_signature(text); });
  refused_or([&] { meta_of(pasted::parse_annotation(text), *std::make_unique<ShapeEnv>()); });
  if (const auto line = pasted::listed_line(text); line && !line->statement.empty())
    refused_or([&] { pasted::parse_statements(line->statement); });
  const size_t begin = pasted::last_begin(text);
  if (begin > size || (begin > 0 && text[begin - 1] != '\n')) std::abort();
  pasted::CleanText clean = pasted::clean_lines(text);
  const size_t before = clean.lines.size();
  if (pasted::join_wrapped(clean) && clean.lines.size() > before) std::abort();
  (void)pasted::symbols_of_tlparse(text);
  return 0;
}
