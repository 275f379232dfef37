// The one exception type of ersatz and the ways to raise it.
//
// An error is one line:  `cat: sizes must match except in dim 1: input 0 is f32[2,3], ... [cat.C2]`. It has the op, the
// rule in words, the operands in the text form of metadata, the values that disagree, and the constraint's label.
// `kind` says whose fault the error is, and `family` which class of exception PyTorch would raise. User input never
// triggers an assert.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

enum class ErrorKind : uint8_t {
  InvalidArgument,        ///< the caller's input is wrong
  NotSupported,           ///< PyTorch allows the call, but ersatz does not support it
  InternalError,          ///< a bug of ersatz: the message has file and line
  DataDependentOutput,    ///< the call needs a value of a fake tensor
  DynamicOutputShape,     ///< the output size of a call on fakes depends on data
  UnsupportedOperator,    ///< the op has no rule, and no fallback is allowed
  UnsupportedFakeTensor,  ///< a tensor that cannot be made fake
  DeviceMismatch,
  MetadataMismatch,
  GuardOnDataDependent,  ///< a condition on an unbacked symbol has to be decided
  TraceError,            ///< tracing cannot record what the function does
  NodeError,             ///< a node of a program could not be run
};
std::string_view name(ErrorKind k);

enum class ErrorFamily : uint8_t { Index, Type, Value, Runtime, NotImplemented };
std::string_view name(ErrorFamily f);  ///< `index`, `type`, `value`, `runtime`, `not_implemented`

class Error : public std::exception {
 public:
  ErrorKind kind = ErrorKind::InvalidArgument;
  ErrorFamily family = ErrorFamily::Runtime;
  bool value_failure = false;          ///< an op with the tag FailsOnValues refused a value, which fakes lack
  int argument = -1;                   ///< index of the offending argument; -1 if no single one is at fault
  std::string op;                      ///< the op's name without overload, `cat`; empty outside ops
  std::string label;                   ///< the constraint's label, `cat.C2`; empty if there is none
  std::string message;                 ///< the message, one line
  std::string node;                    ///< the program's node that was running; in nested graphs the innermost one
  size_t node_prefix = 0;              ///< length of the prefix `node NAME (SOURCE): ` of `message`
  std::vector<std::string> arguments;  ///< the call's arguments in text form; empty outside calls
  std::string source;                  ///< the user's source line (runtime/base/source_line.h), if known
  std::string suggestion;              ///< what would work; empty if unknown

  Error(ErrorKind kind, ErrorFamily family, std::string message)
      : kind(kind), family(family), message(std::move(message)) {}
  // Defined in error.cpp: inline definitions would be copied into every function that raises or passes on an Error.
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error() override;
  /// Puts `node NAME (AT): ` in front of the message, without the parentheses if `at` is empty.
  void name_node(std::string_view name, std::string_view at);
  /// Returns the message without the prefix of `name_node`.
  std::string without_node() const { return message.substr(node_prefix); }
  const char* what() const noexcept override { return message.c_str(); }
};

namespace detail {
[[noreturn]] void raise(ErrorKind, ErrorFamily, fmt::string_view format, fmt::format_args args);
[[noreturn]] void raise_internal(const char* file, int line, const char* condition, fmt::string_view format,
                                 fmt::format_args args);
}  // namespace detail

/// Raises an error outside of any op. Rules use `RuleCall::require` instead, which adds the op and the constraint's
/// label.
template <class... A>
[[noreturn]] void fail(ErrorKind kind, ErrorFamily family, fmt::format_string<A...> format, const A&... args) {
  detail::raise(kind, family, format, fmt::make_format_args(args...));
}
/// Raises InvalidArgument: the caller's input is wrong.
template <class... A>
[[noreturn]] void fail_argument(fmt::format_string<A...> format, const A&... args) {
  detail::raise(ErrorKind::InvalidArgument, ErrorFamily::Runtime, format, fmt::make_format_args(args...));
}

}  // namespace ersatz

/// Raises InternalError if `cond` is false: `ERSATZ_ASSERT(cond, "what {}", x)`. Not for checks of user input.
#define ERSATZ_ASSERT(cond, ...)                                              \
  do {                                                                        \
    if (!(cond)) [[unlikely]]                                                 \
      ::ersatz::raise_internal_error(__FILE__, __LINE__, #cond, __VA_ARGS__); \
  } while (false)

namespace ersatz {
template <class... A>
[[noreturn]] void raise_internal_error(const char* file, int line, const char* condition,
                                       fmt::format_string<A...> format, const A&... args) {
  detail::raise_internal(file, line, condition, format, fmt::make_format_args(args...));
}
}  // namespace ersatz
