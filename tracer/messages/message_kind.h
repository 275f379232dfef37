// The kinds of PyTorch's error texts, and the phrases by which each kind is recognised.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

/// Texts with more bytes are refused. An error with its traceback has a few hundred lines.
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
  std::string_view id;                    ///< name of the kind in JSON, for example `opcheck`
  std::string_view name;                  ///< name of the kind with its article: "a report of torch.library.opcheck"
  std::vector<std::string_view> phrases;  ///< a text that contains one of these phrases is of this kind
};

/// Returns all kinds. If several match a text, the first one counts, because a report of opcheck may quote an error of
/// export.
std::span<const MessageKindRow> message_kinds();
const MessageKindRow& row_of(MessageKind kind);

/// Returns the kind of a text, given whole or by its first bytes; null if no kind matches.
const MessageKindRow* message_kind(std::string_view text);

}  // namespace ersatz
