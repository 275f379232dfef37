// Writes the values of the graph JSON; pt2_json_values.h parses them.
#pragma once

#include <set>
#include <string>

#include "tracer/program/program.h"

namespace ersatz::pt2_text {

/// RAISES NotSupported because the format cannot express something.
template <class... A>
[[noreturn]] void fail_unwritable(fmt::format_string<A...> format, const A&... values) {
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{}",
       fmt::vformat(format, fmt::make_format_args(values...)));
}

std::string device_text(Device d);

/// Writes numbers, expressions and metadata. A program has one ValueWriter.
class ValueWriter {
 public:
  /// `env` is the program's ShapeEnv.
  explicit ValueWriter(const ShapeEnv& env);

  /// Returns the JSON of a SymInt. The hint of an expression is its value at the symbols' hints.
  std::string sym_int(SymInt v);
  /// Returns the JSON of tensor metadata. `alias` names the value with which the tensor shares its storage; it is empty
  /// if there is none, and for stored tensors.
  std::string tensor_meta(const TensorMeta& meta, std::string_view alias = {});
  /// Returns the JSON of a recorded number of this kind.
  std::string sym_record(const Value& record, ValueKind kind);

  /// Returns the symbols that occur as a size by themselves. Only their hints are in the JSON.
  const std::set<std::string>& shown() const { return shown_; }

 private:
  std::string expression_record(std::string_view text, ValueKind kind);
  std::vector<SymbolInfo> symbols_;
  std::set<std::string> shown_;
};

}  // namespace ersatz::pt2_text
