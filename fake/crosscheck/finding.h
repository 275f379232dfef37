// A finding: one field in which a prediction and an observation differ. It can be read without other findings.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fake/crosscheck/witness.h"
#include "runtime/op/rule.h"
#include "runtime/tensor/meta_diff.h"

namespace ersatz {

enum class FindingField : uint8_t {
  DType,
  Size,
  Stride,
  Offset,
  Device,
  Alias,            ///< shares storage where it should not, or the reverse
  Mutation,         ///< an argument's metadata or version changed differently
  Error,            ///< only one side raises, or the errors differ in kind, family or text
  Unwritten,        ///< the kernel left an element of its output unwritten
  UndeclaredWrite,  ///< an input's bytes changed, and the schema does not mark it as written
  OutOfBounds,      ///< bytes outside of an output's buffer changed
  Value,
  Conj,          ///< the lazy conjugate bit
  Neg,           ///< the lazy negation bit
  RequiresGrad,  ///< whether autograd records a gradient for the result
  DynamicSize    ///< a fake has an unbacked size although an argument or a constant determines it
};
inline constexpr int kFindingFieldCount = static_cast<int>(FindingField::DynamicSize) + 1;
/// `dtype`, ... `undeclared_write`, `out_of_bounds`, `value`, `conj`, `neg`, `requires_grad`, `dynamic_size`.
std::string_view name(FindingField f);
/// Returns the field of that name; empty if there is none.
std::optional<FindingField> parse_finding_field(std::string_view name);
FindingField field_of(MetaField f);
/// Is the field about memory that a kernel writes? Then the two sides are called "expected" and "found".
bool is_of_memory(FindingField f);

struct Finding {
  std::string node;  ///< the call's name in its program; empty for a plain call
  std::string op;    ///< canonical name
  int result = -1;   ///< flat index; -1: the call as a whole or an argument
  FindingField field = FindingField::Size;
  std::string predicted;
  std::string observed;
  Witness witness = Witness::None;
  std::string verdict;            ///< `significant`, `size-1 only`, `empty tensor`, or a description of the fault
  std::string words;              ///< PyTorch's wording: `Stride mismatch! Strides are ...`; empty for other fields
  std::string cause;              ///< in words: source of the prediction, deciding operand, observed result
  std::string source;             ///< the user's source line, if known
  std::vector<std::string> args;  ///< in canonical spelling, before the call
  std::string repro;              ///< a one-call program that shows the same finding again; empty without a printer
};

/// Returns place and field: `relu = aten.relu.default, result 0: stride`.
std::string head_of(const Finding& f);
/// One line: `relu = aten.relu.default, result 0: stride: predicted ..., eager says ... (train.py:12)`.
std::string to_string(const Finding& f);
/// Returns the text of PyTorch's MetadataMismatch error: `When comparing the output of ... on FakeTensor and concrete
/// Tensors, found mismatched tensor metadata for output[1]: Shapes ... are not equal!`.
std::string mismatch_text(const Finding& f, bool several_outputs);

/// The input of a ReproPrinter. It is valid only while the printer runs.
struct FindingCall {
  const OpEntry& op;
  /// The real arguments, sharing storage as in the call, with values (of written ones: the new values). Without a real
  /// side: the fakes.
  std::span<const Value> args;
  /// Metadata of the flat tensor arguments before the call; empty where the call cannot change them.
  std::span<const TensorMeta> metas_before;
  std::span<const ResultFacts> facts;  ///< the outside evidence, per flat result; may be shorter
  std::span<const Value> predicted;    ///< flat results of the fake side; empty if it raised
  std::span<const Value> observed;     ///< flat results of the real side; empty if it raised or did not run
  const Finding& finding;
};
/// Prints a program that `ersatz crosscheck` takes. Code that knows the text form provides it.
using ReproPrinter = std::function<std::string(const FindingCall&)>;

}  // namespace ersatz
