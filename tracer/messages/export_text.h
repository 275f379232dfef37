// Errors of torch.export and torch.compile, and reports of draft_export.
#pragma once

#include <optional>

#include "tracer/messages/fake_mismatch.h"
#include "tracer/messages/traceback.h"

namespace ersatz {

struct ExportIssue {
  enum class Kind {
    Guard,         ///< export needs a condition on an unbacked symbol: `Ne(Mod(u0, 4), 0)`
    Number,        ///< Python needs the value of an unbacked symbol, for int() or range()
    TensorBranch,  ///< a branch in Python depends on a tensor's value
    DimFixed,      ///< the code specializes a dynamic dim to a constant
    DimsEqual,     ///< two dynamic dims must be equal
    DimGuard,      ///< the range of a dynamic dim does not satisfy a guard
    AddedGuard,    ///< draft_export added a guard on a dynamic dim
    NoFakeKernel,
    WrongFakeKernel,  ///< draft_export found a fake kernel that differs from its kernel
  };
  Kind kind = Kind::Guard;
  std::string expression;              ///< `Eq(u0, 1)` or `u0`; for issues about dims, the guard
  std::vector<std::string> sizelike;   ///< symbols that PyTorch calls size-like
  std::string dim, other;              ///< names of dynamic dims, for example `batch`
  std::optional<int64_t> constant;     ///< the value to which the code specializes the dim
  std::vector<std::string> guards;     ///< all guards that the dim's range does not satisfy
  std::vector<std::string> suggested;  ///< code that PyTorch suggests: `width = 2*_width`, `torch._check(...)`
  std::string op;                      ///< the operator without a fake kernel, or with a wrong one
  std::optional<FakeMismatch> mismatch;
  std::optional<Frame> place;  ///< the line of the user's code that has the issue
  std::string chosen;          ///< the value that draft_export assumed for the expression: `False`
  std::string source;          ///< the call that makes the symbol, if the text has a printed graph with the symbol
  size_t at = 0;               ///< index of the issue's line in the text
};

/// Returns each issue once, in the order of the text. `frames` are all frames of the text.
std::vector<ExportIssue> export_issues(const std::vector<std::string>& lines, const std::vector<Frame>& frames);

/// Returns the last frame of user code that the lines [begin, before) have. Frames that call torch.export are skipped.
std::optional<Frame> user_place(const std::vector<Frame>& frames, size_t begin, size_t before);

/// Returns the conditions that an exported program asserts when it runs.
std::vector<std::string> runtime_assertions(const std::vector<std::string>& lines);
/// Returns the operators that a printed program calls, as `namespace.name.overload`, sorted.
std::vector<std::string> operators_in(const std::vector<std::string>& lines);

}  // namespace ersatz
