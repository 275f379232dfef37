// The symbols that `from_tensor` puts in place of the sizes of a tensor, and of the value of a 0-dim one.
//
// A tensor that was converted with symbols has the same ones as long as it lives, whatever became of its first fake.
#pragma once

#include <optional>
#include <unordered_map>

#include "fake/mode/symbolic_context.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

struct FakeOptions;
class ShapeEnv;

/// Guarded by the converter's mutex.
class InputSymbols {
 public:
  /// REQUIRES: the options outlive this.
  explicit InputSymbols(const FakeOptions& options) : options_(options) {}

  /// Raises InvalidArgument where the options contradict themselves, the tensor, or `known`, a fake of it that lives.
  void check(const Tensor& t, const FromTensorOptions& asked, const Tensor& known) const;
  /// The tensor's metadata over symbols; empty where it keeps its sizes. REQUIRES: checked.
  std::optional<TensorMeta> metadata(const Tensor& t, const FromTensorOptions& asked);
  /// Lets the fake of a 0-dim tensor with a source remember a backed symbol for its value.
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
  std::unordered_map<uint64_t, Given> given_;  ///< by the address of the tensor's weak cell
  size_t purge_at_ = 64;
};

}  // namespace ersatz
