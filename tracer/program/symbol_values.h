// The values of a program's symbols in one run.
//
// Sizes of dynamic programs are expressions over symbols, and a run has plain numbers. A symbol's value comes from the
// inputs' real sizes, else from a data-dependent size of the run, else from the exporter's hint.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tracer/program/program.h"

namespace ersatz {

class SymbolValues {
 public:
  explicit SymbolValues(const Program& program) : env_(program.env.get()) {}

  /// Binds a symbol without a value. Returns false if it has a different value.
  bool bind(const std::string& symbol, int64_t value);
  /// Binds symbols by comparing recorded and actual sizes: bare symbols first, then linear expressions of one unknown.
  void observe(const TensorMeta& recorded, const TensorMeta& actual);
  void observe(SymInt recorded, int64_t actual);

  /// Returns the bound value, else the hint.
  std::optional<int64_t> find(std::string_view symbol) const;
  std::optional<int64_t> evaluate(SymInt expression) const;
  /// Returns the metadata with numbers in place of expressions, nullopt if a symbol has no value.
  std::optional<TensorMeta> concrete(const TensorMeta& meta) const;
  const std::map<std::string, int64_t, std::less<>>& bound() const { return bound_; }

 private:
  const ShapeEnv* env_;
  std::map<std::string, int64_t, std::less<>> bound_;
};

}  // namespace ersatz
