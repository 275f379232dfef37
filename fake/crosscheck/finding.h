// A finding is one field in which prediction and observation differ. It can be read without other findings.
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
  Alias,            ///< a result shares storage although it should not, or the other way round
  Mutation,         ///< the fake and the real run changed an argument's metadata or version differently
  Error,            ///< only one run raises an error, or the errors differ in kind, family or text
  Unwritten,        ///< the kernel left an element of its output unwritten
  UndeclaredWrite,  ///< the bytes of an input changed, and the op's schema does not declare the write
  OutOfBounds,      ///< bytes before or after an output's buffer changed
  Value,
  Conj,          ///< the lazy conjugate bit
  Neg,           ///< the lazy negation bit
  RequiresGrad,  ///< the requires_grad flag of the result
  DynamicSize    ///< a fake has a symbolic size, although an argument or constant determines its value
};
inline constexpr int kFindingFieldCount = static_cast<int>(FindingField::DynamicSize) + 1;
/// Returns the field's name in reports: `dtype`, ... `undeclared_write`, `out_of_bounds`, `value`, `conj`, `neg`,
/// `requires_grad`, `dynamic_size`.
std::string_view name(FindingField f);
/// Returns the field called `name`, or nullopt if there is none.
std::optional<FindingField> parse_finding_field(std::string_view name);
FindingField field_of(MetaField f);
/// Returns whether the field is about memory that a kernel writes. Reports of these findings say "expected" and
/// "found".
bool is_of_memory(FindingField f);

struct Finding {
  std::string node;  ///< the call's name in its program; empty if the call is not in a program
  std::string op;    ///< the op's full name, `aten.relu.default`
  int result = -1;   ///< index of the result, counting elements of lists; -1: the finding is about the whole call or an
                     ///< argument
  FindingField field = FindingField::Size;
  std::string predicted;
  std::string observed;
  Witness witness = Witness::None;
  std::string verdict;            ///< how much the difference matters: `significant`, `size-1 only`, `empty tensor`, or
                                  ///< a sentence
  std::string words;              ///< PyTorch's message: `Stride mismatch! Strides are ...`; empty for fields that
                                  ///< PyTorch does not compare
  std::string cause;              ///< the reason for the prediction (cause.h); may be empty
  std::string source;             ///< the user's source line, if known
  std::vector<std::string> args;  ///< texts of the arguments before the call
  std::string repro;              ///< a program that makes this call and shows the finding again; empty if there is no
                                  ///< ReproPrinter
};

/// Returns the node, op, result and field: `relu = aten.relu.default, result 0: stride`.
std::string head_of(const Finding& f);
/// Returns one line: `relu = aten.relu.default, result 0: stride: predicted ..., eager says ... (train.py:12)`.
std::string to_string(const Finding& f);
/// Returns the message of MetadataMismatch for the finding: `When comparing the output of ... on FakeTensor and
/// concrete Tensors, found mismatched tensor metadata for output[1]: Shapes ... are not equal!`.
std::string mismatch_text(const Finding& f, bool several_outputs);

/// The data that a printer of repros needs. It is valid only while the printer runs.
struct FindingCall {
  const OpEntry& op;
  /// The real arguments, which share storage as in the call; written arguments have their new values. If there was no
  /// real run, the fake arguments.
  std::span<const Value> args;
  /// Metadata of the tensor arguments, including elements of lists, before the call; empty if the call cannot change
  /// them.
  std::span<const TensorMeta> metas_before;
  std::span<const ResultFacts> facts;  ///< the caller's evidence per result; the list may be shorter than the results
  std::span<const Value> predicted;    ///< results of the fake run, including elements of lists; empty if it raised an
                                       ///< error
  std::span<const Value> observed;     ///< results of the real run, like `predicted`; empty if it raised an error or
                                       ///< did not take place
  const Finding& finding;
};
/// A function that prints a finding's call as a program that `ersatz crosscheck` accepts. Code that does not include
/// the text format has no printer.
using ReproPrinter = std::function<std::string(const FindingCall&)>;

}  // namespace ersatz
