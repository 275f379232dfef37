// The one exception type of ersatz and the ways to raise it.
//
// An error is one line:  `cat: sizes must match except in dim 1: input 0 is f32[2,3], ... [cat.C2]`
// op, rule in words, operands in canonical spelling, the values that disagree, constraint label.
// `kind` says whose fault it is, `family` what class of exception PyTorch would raise. The message is
// formatted only when the error is raised. User input never triggers an assert.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

enum class ErrorKind : uint8_t {
  InvalidArgument,        ///< the caller's input
  NotSupported,           ///< legal, not here: names op, dtype, device, mode and what would work
  InternalError,          ///< ours: carries file and line
  DataDependentOutput,    ///< a fake was asked for a value
  DynamicOutputShape,     ///< a fake op whose output size depends on data
  UnsupportedOperator,    ///< no rule and no fallback allowed
  UnsupportedFakeTensor,  ///< a tensor that cannot be made fake
  DeviceMismatch,
  MetadataMismatch,
  GuardOnDataDependent,  ///< a decision on an unbacked symbol
  TraceError,            ///< what a function does cannot be recorded as a program
  NodeError,             ///< a node of a program could not be run
};
std::string_view name(ErrorKind k);

enum class ErrorFamily : uint8_t { Index, Type, Value, Runtime, NotImplemented };
std::string_view name(ErrorFamily f);  ///< `index`, `type`, `value`, `runtime`, `not_implemented`

class Error : public std::exception {
 public:
  ErrorKind kind = ErrorKind::InvalidArgument;
  ErrorFamily family = ErrorFamily::Runtime;
  bool value_failure = false;          ///< a `fails_on_values` op met a bad value: fake cannot see it
  int argument = -1;                   ///< index of the offending argument; -1: none in particular
  std::string op;                      ///< base name, `cat`; empty outside ops
  std::string label;                   ///< `cat.C2`; empty where there is none
  std::string message;                 ///< the whole line
  std::string node;                    ///< of a program, that was running; in nested graphs the innermost
  size_t node_prefix = 0;              ///< length of `node NAME (SOURCE): ` in front of `message`
  std::vector<std::string> arguments;  ///< of the call, in canonical spelling; empty outside calls
  std::string source;                  ///< the user's source line (runtime/base/source_line.h), if known
  std::string suggestion;              ///< what would work, where something is known to

  Error(ErrorKind kind, ErrorFamily family, std::string message)
      : kind(kind), family(family), message(std::move(message)) {}
  // Out of line: every function that raises or passes one on would have its own copy.
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error() override;
  /// Puts a node of a program, and where it is if `at` is not empty, in front of the message.
  void name_node(std::string_view name, std::string_view at);
  /// The message as it was before `name_node`.
  std::string without_node() const { return message.substr(node_prefix); }
  const char* what() const noexcept override { return message.c_str(); }
};

namespace detail {
[[noreturn]] void raise(ErrorKind, ErrorFamily, fmt::string_view format, fmt::format_args args);
[[noreturn]] void raise_internal(const char* file, int line, const char* condition, fmt::string_view format,
                                 fmt::format_args args);
}  // namespace detail

/// Raises an error that belongs to no op. Rules use `RuleCall::require` instead, which adds op and label.
template <class... A>
[[noreturn]] void fail(ErrorKind kind, ErrorFamily family, fmt::format_string<A...> format, const A&... args) {
  detail::raise(kind, family, format, fmt::make_format_args(args...));
}
/// The caller's input is wrong.
template <class... A>
[[noreturn]] void fail_argument(fmt::format_string<A...> format, const A&... args) {
  detail::raise(ErrorKind::InvalidArgument, ErrorFamily::Runtime, format, fmt::make_format_args(args...));
}

}  // namespace ersatz

/// Our own bug if it does not hold: `ERSATZ_ASSERT(cond, "what {}", x)`. Never for user input.
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
