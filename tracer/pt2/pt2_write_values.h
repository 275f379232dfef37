// Parts of the graph JSON that are values, as JSON text: what pt2_json_values.h reads.
#pragma once

#include <set>
#include <string>

#include "tracer/program/program.h"

namespace ersatz::pt2_text {

/// NotSupported: the format has no place for it.
template <class... A>
[[noreturn]] void fail_unwritable(fmt::format_string<A...> format, const A&... values) {
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{}",
       fmt::vformat(format, fmt::make_format_args(values...)));
}

std::string device_text(Device d);

/// Writes expressions; one for all of a program.
class ValueWriter {
 public:
  /// `env`: of the program.
  explicit ValueWriter(const ShapeEnv& env);

  /// A SymInt; one with an expression has the value at the examples as its hint.
  std::string sym_int(SymInt v);
  /// `storage_meta`: of a stored tensor, which has no alias. `alias`: the recorded one, may be empty.
  std::string tensor_meta(const TensorMeta& meta, std::string_view alias = {});
  /// What is recorded of a number of that kind.
  std::string sym_record(const Value& record, ValueKind kind);

  /// The symbols whose example the JSON shows: they stand alone somewhere.
  const std::set<std::string>& shown() const { return shown_; }

 private:
  std::string expression_record(std::string_view text, ValueKind kind);
  std::vector<SymbolInfo> symbols_;
  std::set<std::string> shown_;
};

}  // namespace ersatz::pt2_text
