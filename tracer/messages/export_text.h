// Errors of torch.export and torch.compile, and reports of draft_export.
#pragma once

#include <optional>

#include "tracer/messages/fake_mismatch.h"
#include "tracer/messages/traceback.h"

namespace ersatz {

struct ExportIssue {
  enum class Kind {
    Guard,         ///< a condition on an unbacked symbol: `Ne(Mod(u0, 4), 0)`
    Number,        ///< Python needs the value of an unbacked symbol: int(), range()
    TensorBranch,  ///< a Python branch depends on a tensor's value
    DimFixed,      ///< a dynamic dim that the code specializes to a constant
    DimsEqual,     ///< two dynamic dims that must be equal
    DimGuard,      ///< a dynamic dim whose range does not satisfy a guard
    AddedGuard,    ///< draft_export added a guard on a dynamic dim
    NoFakeKernel,
    WrongFakeKernel,  ///< found by draft_export
  };
  Kind kind = Kind::Guard;
  std::string expression;              ///< `Eq(u0, 1)` or `u0`; for dims the guard
  std::vector<std::string> sizelike;   ///< symbols that PyTorch calls size-like
  std::string dim, other;              ///< names of dynamic dims: `batch`
  std::optional<int64_t> constant;     ///< the value to which the dim is specialized
  std::vector<std::string> guards;     ///< all guards that the dim's range does not satisfy
  std::vector<std::string> suggested;  ///< lines that PyTorch suggests: `width = 2*_width`, `torch._check(...)`
  std::string op;                      ///< the operator without a fake kernel, or with a wrong one
  std::optional<FakeMismatch> mismatch;
  std::optional<Frame> place;  ///< the line of the user's code
  std::string chosen;          ///< the value that draft_export used for the expression: `False`
  std::string source;          ///< the call that makes the symbol, if the text has the graph
  size_t at = 0;               ///< index of the issue's line in the text
};

/// Returns each issue once, in the order of the text. `frames` are all frames of the text.
std::vector<ExportIssue> export_issues(const std::vector<std::string>& lines, const std::vector<Frame>& frames);

/// Returns the last frame of user code that the text names in lines [begin, before). Frames that call export are
/// skipped.
std::optional<Frame> user_place(const std::vector<Frame>& frames, size_t begin, size_t before);

/// Returns the conditions that an exported program asserts when it runs.
std::vector<std::string> runtime_assertions(const std::vector<std::string>& lines);
/// Returns the operators that a printed program calls, `namespace.name.overload`, sorted.
std::vector<std::string> operators_in(const std::vector<std::string>& lines);

}  // namespace ersatz
