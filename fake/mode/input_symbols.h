// Makes the symbols of `from_tensor` for the sizes of a tensor, and for the value of a 0-dim tensor.
//
// A tensor keeps its symbols while it lives, even if its fake is freed.
#pragma once

#include <optional>
#include <unordered_map>

#include "fake/mode/symbolic_context.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

struct FakeOptions;
class ShapeEnv;

/// REQUIRES: the caller holds the mutex of the FakeConverter.
class InputSymbols {
 public:
  /// REQUIRES: `options` outlive this object.
  explicit InputSymbols(const FakeOptions& options) : options_(options) {}

  /// Raises InvalidArgument if `asked` contradicts itself, the tensor `t`, or `known`, the tensor's live fake.
  void check(const Tensor& t, const FromTensorOptions& asked, const Tensor& known) const;
  /// Returns the tensor's metadata with symbols; nullopt if its sizes stay numbers. REQUIRES: `check` has passed.
  std::optional<TensorMeta> metadata(const Tensor& t, const FromTensorOptions& asked);
  /// Makes a backed symbol for the value of a 0-dim i64 or f64 tensor called `source`, and stores it in the fake's
  /// memo.
  void remember_value(const Tensor& fake, const Tensor& t, const std::string& source, uint64_t epoch) const;

 private:
  struct Given {
    WeakRef<TensorImpl> to;
    SymbolicContext context;
    TensorMeta meta;
  };
  const Given* given_to(const Tensor& t) const;
  bool asks_for_symbols(const Tensor& t, const FromTensorOptions& asked) const;
  SymInt symbol(const DimContext& dim, int64_t size, const std::string& source);

  const FakeOptions& options_;
  std::unordered_map<uint64_t, Given> given_;  ///< keys are addresses of tensors' weak cells
  size_t purge_at_ = 64;
};

}  // namespace ersatz
