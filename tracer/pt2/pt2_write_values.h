// Writes the values of the graph JSON, which pt2_json_values.h reads.
#pragma once

#include <set>
#include <string>

#include "tracer/program/program.h"

namespace ersatz::pt2_text {

/// Raises NotSupported: the format cannot express something.
template <class... A>
[[noreturn]] void fail_unwritable(fmt::format_string<A...> format, const A&... values) {
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{}",
       fmt::vformat(format, fmt::make_format_args(values...)));
}

std::string device_text(Device d);

/// Writes expressions. A program has one writer.
class ValueWriter {
 public:
  /// `env` is the program's.
  explicit ValueWriter(const ShapeEnv& env);

  /// Returns a SymInt. An expression has its value at the examples as its hint.
  std::string sym_int(SymInt v);
  /// Returns tensor metadata. `alias` is the recorded alias; it is empty if there is none, and for stored tensors.
  std::string tensor_meta(const TensorMeta& meta, std::string_view alias = {});
  /// Returns the record of a number of this kind.
  std::string sym_record(const Value& record, ValueKind kind);

  /// Returns the symbols whose example the JSON has, because they occur alone somewhere.
  const std::set<std::string>& shown() const { return shown_; }

 private:
  std::string expression_record(std::string_view text, ValueKind kind);
  std::vector<SymbolInfo> symbols_;
  std::set<std::string> shown_;
};

}  // namespace ersatz::pt2_text
