// Refusals of torch.export and torch.compile, and reports of draft_export.
#pragma once

#include <optional>

#include "tracer/messages/fake_mismatch.h"
#include "tracer/messages/traceback.h"

namespace ersatz {

struct ExportIssue {
  enum class Kind {
    Guard,         ///< a condition on a number that only data give: `Ne(Mod(u0, 4), 0)`
    Number,        ///< Python needs the value of a number that only data give: int(), range()
    TensorBranch,  ///< Python decides by a tensor's value
    DimFixed,      ///< a dynamic dim that the code makes a constant
    DimsEqual,     ///< two dynamic dims that must be equal
    DimGuard,      ///< a dynamic dim whose range does not satisfy a guard
    AddedGuard,    ///< draft_export took a guard on a dynamic dim
    NoFakeKernel,
    WrongFakeKernel,  ///< draft_export compared it
  };
  Kind kind = Kind::Guard;
  std::string expression;              ///< `Eq(u0, 1)`, `u0`; of dims the guard
  std::vector<std::string> sizelike;   ///< symbols that are sizes
  std::string dim, other;              ///< names of dynamic dims: `batch`
  std::optional<int64_t> constant;     ///< that a dim is fixed to
  std::vector<std::string> guards;     ///< all that a dim's range does not satisfy
  std::vector<std::string> suggested;  ///< PyTorch's own lines: `width = 2*_width`, `torch._check(...)`
  std::string op;                      ///< without a fake kernel, or with a wrong one
  std::optional<FakeMismatch> mismatch;
  std::optional<Frame> place;  ///< the line of the user's code
  std::string chosen;          ///< what a draft export took for it: `False`
  std::string source;          ///< the node that makes the number, where the text has the graph: its call
  size_t at = 0;               ///< which line of the text says it
};

/// Each once, in order of the text. `frames` are those of the text.
std::vector<ExportIssue> export_issues(const std::vector<std::string>& lines, const std::vector<Frame>& frames);

/// The last frame of the user's own code before line `before` of the text that is not the call of export itself.
std::optional<Frame> user_place(const std::vector<Frame>& frames, size_t begin, size_t before);

/// The conditions that an exported program asserts when it runs.
std::vector<std::string> runtime_assertions(const std::vector<std::string>& lines);
/// Operators that a printed program calls, `namespace.name.overload`, sorted.
std::vector<std::string> operators_in(const std::vector<std::string>& lines);

}  // namespace ersatz
