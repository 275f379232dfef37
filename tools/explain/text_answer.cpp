#include "tools/explain/text_answer.h"

#include <algorithm>

#include "tools/explain/text_facts.h"

namespace ersatz::tools {

namespace {

std::vector<TextAnswer> explain_text(const ReadText& text, const std::vector<ReadText>& all) {
  switch (text.kind->kind) {
    case MessageKind::OnnxReport:
      return explain_onnx(text);
    case MessageKind::Opcheck:
      return explain_opcheck(text, all);
    case MessageKind::DraftReport:
    case MessageKind::ExportError:
    case MessageKind::ExportPassed:
      return explain_export(text);
    case MessageKind::FakeMismatch:
      return explain_fake_mismatches(text);
    case MessageKind::Assertion:
      return explain_assertions(text, all);
    case MessageKind::GradientStrides:
      return explain_gradients(text);
    case MessageKind::FakeKernelError:
      return explain_fake_kernel_error(text);
    case MessageKind::GeneratedCode:
      return explain_generated_code(text);
  }
  return {};
}

/// The order of answers: errors, then texts that are not understood, then texts without a fault.
int rank(const TextAnswer& a) {
  return a.verdict == TextVerdict::NothingFound ? 2 : a.verdict == TextVerdict::Unknown ? 1 : 0;
}

}  // namespace

std::string_view name(TextVerdict verdict) {
  constexpr std::string_view kNames[] = {"fake_kernel",     "no_fake_kernel", "fake_signature", "fake_reads_data",
                                         "fake_raises",     "schema",         "autograd",       "backward",
                                         "input_changed",   "input_written",  "input_made",     "laid_out_by_compiler",
                                         "checker_limit",   "data_dependent", "tensor_branch",  "dynamic_dim",
                                         "gradient_layout", "nothing_found",  "unknown"};
  return kNames[static_cast<size_t>(verdict)];
}

std::vector<TextAnswer> explain_texts(const std::vector<NamedText>& texts) {
  std::vector<ReadText> all;
  for (const NamedText& t : texts) all.push_back(read_text(t));
  const auto is_evidence = [](const ReadText& t) {
    return !t.kind || t.kind->kind == MessageKind::GeneratedCode || t.kind->kind == MessageKind::ExportPassed;
  };
  const bool has_error = std::any_of(all.begin(), all.end(), [&](const ReadText& t) { return !is_evidence(t); });
  std::vector<TextAnswer> answers;
  for (const ReadText& t : all) {
    if (!t.kind || (has_error && is_evidence(t))) continue;
    for (TextAnswer& a : explain_text(t, all)) {
      a.kind = t.kind;
      a.file = t.name;
      answers.push_back(std::move(a));
    }
  }
  std::stable_sort(answers.begin(), answers.end(),
                   [](const TextAnswer& a, const TextAnswer& b) { return rank(a) < rank(b); });
  return answers;
}

}  // namespace ersatz::tools
