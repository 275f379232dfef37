// libFuzzer: error texts for `ersatz explain`. Either the explanation names a line of the text, or there is none.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "runtime/base/error.h"
#include "tools/explain/text_answer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ersatz;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  try {
    for (const tools::TextAnswer& answer : tools::explain_texts({{"fuzz", text}})) {
      if (answer.line > lines || answer.summary.empty()) std::abort();
      (void)answer.json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) std::abort();
  }
  return 0;
}
