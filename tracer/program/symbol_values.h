// The values of a program's symbols in one run.
//
// Sizes of a dynamic program are expressions over symbols, and a run has plain numbers. A symbol gets its value from
// the inputs' real sizes; if they do not determine it, from a data-dependent size of the run; else from the exporter's
// hint.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tracer/program/program.h"

namespace ersatz {

class SymbolValues {
 public:
  explicit SymbolValues(const Program& program) : env_(program.env.get()) {}

  /// Gives a symbol its value. Returns false if it already has a different one.
  bool bind(const std::string& symbol, int64_t value);
  /// Finds values of symbols by comparing recorded and actual sizes. A size may be a single symbol, or a linear
  /// expression in one symbol without a value.
  void observe(const TensorMeta& recorded, const TensorMeta& actual);
  void observe(SymInt recorded, int64_t actual);

  /// Returns the symbol's value or, if it has none, its hint.
  std::optional<int64_t> find(std::string_view symbol) const;
  std::optional<int64_t> evaluate(SymInt expression) const;
  /// Returns the metadata with numbers in place of expressions; nullopt if a symbol has no value.
  std::optional<TensorMeta> concrete(const TensorMeta& meta) const;
  const std::map<std::string, int64_t, std::less<>>& bound() const { return bound_; }

 private:
  const ShapeEnv* env_;
  std::map<std::string, int64_t, std::less<>> bound_;
};

}  // namespace ersatz
