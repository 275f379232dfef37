// Functions whose forward and backward the user writes, like torch.autograd.Function.
//
//   struct Square {
//     static constexpr std::string_view name = "Square";  // the node is called SquareBackward
//     static Tensor forward(FunctionContext& context, const Tensor& x) {
//       context.save_for_backward({x});
//       return ops::mul(x, x);
//     }
//     static Tensor backward(FunctionContext& context, const Tensor& gradient) {
//       return ops::mul(gradient, ops::mul(context.saved_tensors()[0], 2));
//     }
//   };
//   Tensor y = apply_function<Square>(x);
//
// `forward` runs under NoGrad and gets the arguments unchanged. `backward` gets one gradient per tensor that forward
// returned. It returns one gradient per argument, undefined for an argument that is no tensor or needs no gradient. If
// the run has `create_graph`, `backward` is recorded.
// If no tensor requires a gradient, or under NoGrad, only `forward` runs. If forward returns one of its arguments, the
// caller gets a view of the argument. While gradients are recorded, a view that forward returns may not be written in
// place. Fake tensors are passed to `forward` and `backward` like real ones.
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <tuple>

#include "runtime/autograd/autograd_meta.h"
#include "runtime/op/value.h"

namespace ersatz {

/// Data that a function's forward stores for its backward.
class FunctionContext {
 public:
  FunctionContext();
  FunctionContext(FunctionContext&&) noexcept;
  FunctionContext& operator=(FunctionContext&&) noexcept;
  ~FunctionContext();

  /// For forward: saves arguments or results for backward. A second call replaces the tensors of the first. Backward
  /// raises an error if a tensor was written after it was saved. SavedTensorHooks apply to these tensors, and a
  /// backward run without retain_graph frees them.
  void save_for_backward(std::vector<Tensor> tensors);
  /// For forward: names the arguments that forward wrote. Forward must return these arguments.
  void mark_dirty(std::vector<Tensor> tensors);
  /// For forward: names the results that never require a gradient. Results of integer dtypes never do.
  void mark_non_differentiable(std::vector<Tensor> tensors);
  /// Sets whether backward gets zeros in place of an undefined gradient. The default is true.
  void set_materialize_grads(bool materialize);
  bool needs_input_grad(size_t argument) const;

  /// For backward: returns the saved tensors, in order. Raises a Runtime error if a saved tensor was freed, or was
  /// written after it was saved.
  std::vector<Tensor> saved_tensors() const;

  std::any data;  ///< other data that backward needs; it lives as long as the graph

 private:
  friend class FunctionNode;
  friend class FunctionApplication;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct Function {
  std::string name;
  std::function<std::vector<Tensor>(FunctionContext&, std::span<const Value> arguments)> forward;
  std::function<std::vector<Tensor>(FunctionContext&, std::span<const Tensor> gradients)> backward;
};

/// Runs the function. Raises a Runtime error if an argument in mark_dirty() was not returned, or is a leaf that
/// requires a gradient. If several results have gradients, a view in mark_dirty() is a Runtime error too. Errors of
/// `forward` reach the caller.
std::vector<Tensor> apply_function(const Function& function, std::span<const Value> arguments);

namespace detail {
inline std::vector<Tensor> tensors_of(Tensor t) { return {std::move(t)}; }
inline std::vector<Tensor> tensors_of(std::vector<Tensor> t) { return t; }

template <class F>
std::vector<Tensor> backward_of(FunctionContext& context, std::span<const Tensor> gradients) {
  if constexpr (std::is_invocable_v<decltype(&F::backward), FunctionContext&, std::span<const Tensor>>) {
    return tensors_of(F::backward(context, gradients));
  } else {
    ERSATZ_ASSERT(gradients.size() == 1, "{}: backward takes one gradient, there are {}", F::name, gradients.size());
    return tensors_of(F::backward(context, gradients[0]));
  }
}
}  // namespace detail

/// Applies the function that class F defines. An argument that does not convert to Value is passed as None. Returns the
/// result of `F::forward`, a Tensor or a vector of Tensors. `F::backward` takes the context, and a Tensor or a span of
/// Tensors.
template <class F, class... A>
auto apply_function(const A&... arguments) {
  using Answer = decltype(F::forward(std::declval<FunctionContext&>(), arguments...));
  const auto value = []<class T>(const T& argument) {
    if constexpr (std::is_constructible_v<Value, const T&>) return Value(argument);
    return Value();
  };
  const Value values[] = {value(arguments)..., Value()};
  const Function function{std::string(F::name),
                          [&](FunctionContext& context, std::span<const Value>) {
                            return detail::tensors_of(F::forward(context, arguments...));
                          },
                          detail::backward_of<F>};
  std::vector<Tensor> made = apply_function(function, std::span<const Value>(values, sizeof...(A)));
  if constexpr (std::is_same_v<Answer, Tensor>) {
    return std::move(made[0]);
  } else {
    return made;
  }
}

}  // namespace ersatz
