// A finding: one field in which prediction and observation differ. Each can be read without the others.
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
  Alias,            ///< shares storage although it should not, or does not although it should
  Mutation,         ///< an argument's metadata or version changed differently
  Error,            ///< one side raises and the other passes, or they differ in kind, family or text
  Unwritten,        ///< the kernel left an element of its output unwritten
  UndeclaredWrite,  ///< the bytes of an input changed and its schema does not declare the write
  OutOfBounds,      ///< bytes before or after an output's buffer changed
  Value,
  Conj,          ///< the lazy conjugate bit
  Neg,           ///< the lazy negation bit
  RequiresGrad,  ///< the requires_grad flag that the result has for autograd
  DynamicSize    ///< a fake has a symbolic size, although an argument or constant gives its value
};
inline constexpr int kFindingFieldCount = static_cast<int>(FindingField::DynamicSize) + 1;
/// `dtype`, ... `undeclared_write`, `out_of_bounds`, `value`, `conj`, `neg`, `requires_grad`, `dynamic_size`.
std::string_view name(FindingField f);
/// Returns the field of that name, nullopt if there is none.
std::optional<FindingField> parse_finding_field(std::string_view name);
FindingField field_of(MetaField f);
/// RETURNS: whether the field is about memory that a kernel writes. Reports then say "expected" and "found".
bool is_of_memory(FindingField f);

struct Finding {
  std::string node;  ///< the call's name in its program; empty for a plain call
  std::string op;    ///< canonical name
  int result = -1;   ///< flat index; -1: the call as a whole or an argument
  FindingField field = FindingField::Size;
  std::string predicted;
  std::string observed;
  Witness witness = Witness::None;
  std::string verdict;            ///< `significant`, `size-1 only`, `empty tensor`, or a sentence
  std::string words;              ///< PyTorch's words: `Stride mismatch! Strides are ...`; empty for other fields
  std::string cause;              ///< why the prediction is what it is (cause.h); may be empty
  std::string source;             ///< the user's source line, if known
  std::vector<std::string> args;  ///< in canonical spelling, before the call
  std::string repro;              ///< a one-call program that shows the same finding again; empty without a printer
};

/// The finding's place and field: `relu = aten.relu.default, result 0: stride`.
std::string head_of(const Finding& f);
/// One line: `relu = aten.relu.default, result 0: stride: predicted ..., eager says ... (train.py:12)`.
std::string to_string(const Finding& f);
/// The text of MetadataMismatch for the finding: `When comparing the output of ... on FakeTensor and concrete Tensors,
/// found mismatched tensor metadata for output[1]: Shapes ... are not equal!`.
std::string mismatch_text(const Finding& f, bool several_outputs);

/// The data that a printer of repros needs. It is valid only while the printer runs.
struct FindingCall {
  const OpEntry& op;
  /// The real arguments with their values, sharing storage as in the call; written arguments have the new values.
  /// Without a real side these are the fakes.
  std::span<const Value> args;
  /// Metadata of the flat tensor arguments before the call; empty if the call cannot change them.
  std::span<const TensorMeta> metas_before;
  std::span<const ResultFacts> facts;  ///< outside evidence per flat result; can be shorter
  std::span<const Value> predicted;    ///< flat results of the fake side; empty if it raised
  std::span<const Value> observed;     ///< flat results of the real side; empty if it raised or did not run
  const Finding& finding;
};
/// Prints a program that `ersatz crosscheck` accepts. Code that knows the text format provides it.
using ReproPrinter = std::function<std::string(const FindingCall&)>;

}  // namespace ersatz
