#include "tracer/messages/message_kind.h"

#include <algorithm>

namespace ersatz {

std::span<const MessageKindRow> message_kinds() {
  static const std::vector<MessageKindRow> rows = {
      {MessageKind::OnnxReport,
       "onnx",
       "a report of torch.onnx.export",
       {"PyTorch ONNX Conversion", "TorchExportError: Failed to export the model with torch.export"}},
      {MessageKind::Opcheck,
       "opcheck",
       "a report of torch.library.opcheck",
       {"opcheck(op, ...):", "'test_faketensor'", "test_faketensor:", "test_schema:", "'test_schema'",
        "test_aot_dispatch_dynamic:"}},
      {MessageKind::DraftReport,
       "draft_export",
       "a report of torch.export.draft_export",
       {"issue(s) found during export, and it was not able to soundly produce a graph",
        "No issues are found during export"}},
      {MessageKind::FakeMismatch,
       "fake_mismatch",
       "a comparison of a fake kernel with its kernel",
       {"on FakeTensor and concrete Tensors, found", "Real tensor propagation found"}},
      {MessageKind::Assertion,
       "assertion",
       "an assertion of compiled code",
       {" at dim=", "wrong number of dimensions", "expected dtype torch.",
        " bytes aligned. Fail due to storage_offset="}},
      {MessageKind::GradientStrides,
       "gradient_strides",
       "DDP's warning about strides of gradients",
       {"Grad strides do not match bucket view strides"}},
      {MessageKind::ExportError,
       "export_error",
       "an error of torch.export or torch.compile",
       {"Could not guard on data-dependent expression", "Could not extract specialized integer from data-dependent",
        "Constraints violated (", "Data-dependent branching",
        "UnsupportedOperatorException:", "does not support running with fake tensors",
        "there was no fake impl or Meta kernel registered", "There was no fake impl registered for <CustomOpDef("}},
      {MessageKind::FakeKernelError, "fake_kernel_error", "an error of a fake kernel", {"_abstract_fn(*args"}},
      {MessageKind::ExportPassed, "export_passed", "the program of an export that passed", {"ExportedProgram:"}},
      {MessageKind::GeneratedCode,
       "generated_code",
       "code that Inductor generated",
       {"async_compile = AsyncCompile", "assert_size_stride(", "assert_size_stride_grouped(",
        "assert_tensor_metadata("}}};
  return rows;
}

const MessageKindRow& row_of(MessageKind kind) {
  return *std::find_if(message_kinds().begin(), message_kinds().end(), [&](const auto& r) { return r.kind == kind; });
}

const MessageKindRow* message_kind(std::string_view text) {
  for (const MessageKindRow& row : message_kinds()) {
    for (const std::string_view phrase : row.phrases) {
      if (text.find(phrase) != text.npos) return &row;
    }
  }
  return nullptr;
}

}  // namespace ersatz
