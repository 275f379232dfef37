// The kinds of PyTorch's error texts, and the phrases that identify each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

/// A longer text is refused. An error with its traceback has some hundred lines.
inline constexpr size_t kMaxMessageBytes = size_t(64) << 20;

enum class MessageKind {
  OnnxReport,
  Opcheck,
  DraftReport,
  FakeMismatch,
  Assertion,
  GradientStrides,
  ExportError,
  FakeKernelError,
  ExportPassed,
  GeneratedCode,
};

struct MessageKindRow {
  MessageKind kind;
  std::string_view id;                    ///< the kind's name in JSON: `opcheck`
  std::string_view name;                  ///< with its article: "a report of torch.library.opcheck"
  std::vector<std::string_view> phrases;  ///< a text that contains one of them is of this kind
};

/// All kinds. The first matching row wins, because a report of opcheck may quote an error of export.
std::span<const MessageKindRow> message_kinds();
const MessageKindRow& row_of(MessageKind kind);

/// Returns the kind of a text, or of its first bytes; null if no kind matches.
const MessageKindRow* message_kind(std::string_view text);

}  // namespace ersatz
