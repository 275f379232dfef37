// libFuzzer: error texts. Every parser accepts any bytes without raising, and finds at most as many messages as lines.
#include <cstdint>
#include <cstdlib>

#include "tracer/messages/export_text.h"
#include "tracer/messages/generated_code.h"
#include "tracer/messages/gradient_text.h"
#include "tracer/messages/message_kind.h"
#include "tracer/messages/onnx_text.h"
#include "tracer/messages/opcheck_text.h"
#include "tracer/pasted/clean_lines.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ersatz;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)message_kind(text);
  const std::vector<std::string> lines = pasted::plain_lines(text);
  const std::vector<Frame> frames = frames_of(lines);
  if (frames.size() > lines.size()) std::abort();
  for (const Assertion& a : assertions_of(lines, frames)) {
    if (a.at >= lines.size()) std::abort();
    if (a.call && !a.call->alignment && a.call->names.size() != a.call->sizes.size()) std::abort();
  }
  const GeneratedCode code = generated_code_in(lines);
  if (code.asserts.size() > lines.size()) std::abort();
  if (export_issues(lines, frames).size() > lines.size()) std::abort();
  if (fake_mismatches(lines).size() > lines.size()) std::abort();
  (void)opcheck_tests(lines);
  (void)runtime_assertions(lines);
  (void)operators_in(lines);
  (void)onnx_steps(lines);
  (void)onnx_step(lines);
  (void)gradient_strides(lines);
  return 0;
}
