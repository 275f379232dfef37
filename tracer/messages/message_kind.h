// The kinds of text that say how PyTorch failed, and the phrases by which each is known.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

/// More than this is refused: an error with its traceback has some hundred lines.
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
  std::string_view id;                    ///< in JSON: `opcheck`
  std::string_view name;                  ///< with its article: "a report of torch.library.opcheck"
  std::vector<std::string_view> phrases;  ///< a line that has one of them is of the kind
};

/// The first row that fits decides: a report of opcheck may quote an error of export.
std::span<const MessageKindRow> message_kinds();
const MessageKindRow& row_of(MessageKind kind);

/// The kind of a text, told by it or by its first bytes; null where no kind fits.
const MessageKindRow* message_kind(std::string_view text);

}  // namespace ersatz
