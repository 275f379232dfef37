// The values of a program's symbols in one run.
//
// Sizes of dynamic programs are expressions over symbols. A run has plain numbers: symbols are bound by the inputs'
// real sizes, then by what is met on the way (data-dependent sizes), and where neither says anything by the exporter's
// hints.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tracer/program/program.h"

namespace ersatz {

class SymbolValues {
 public:
  explicit SymbolValues(const Program& program) : env_(program.env.get()) {}

  /// Binds a symbol that has no value yet; false if it has another one.
  bool bind(const std::string& symbol, int64_t value);
  /// Learns from a tensor whose record is `recorded`: bare symbols first, then linear expressions of one unknown.
  void observe(const TensorMeta& recorded, const TensorMeta& actual);
  void observe(SymInt recorded, int64_t actual);

  /// Bound value, else hint.
  std::optional<int64_t> find(std::string_view symbol) const;
  std::optional<int64_t> evaluate(SymInt expression) const;
  /// The metadata with numbers for expressions; empty if a symbol has no value.
  std::optional<TensorMeta> concrete(const TensorMeta& meta) const;
  const std::map<std::string, int64_t, std::less<>>& bound() const { return bound_; }

 private:
  const ShapeEnv* env_;
  std::map<std::string, int64_t, std::less<>> bound_;
};

}  // namespace ersatz
