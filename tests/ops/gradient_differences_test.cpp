// Compares gradients from derivative functions (kernels/*/derivative_functions.cpp) with central differences in f64.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "runtime/autograd/backward.h"
#include "runtime/autograd/grad_mode.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

using Tensors = std::vector<Tensor>;
using Function = std::function<Values(const Tensors&)>;

/// Irregular values: all are different, and none is at a point where a function has no derivative.
Tensor uneven(const std::string& meta, double seed, double scale = 1, double shift = 0) {
  const Tensor t = ramp(meta);
  std::vector<double> values(static_cast<size_t>(t.numel().guard_int()));
  for (size_t i = 0; i < values.size(); ++i) values[i] = shift + scale * std::sin(seed * 7.3 + 2.17 * double(i + 1));
  return make(meta, values);
}

/// The sum of all elements of the results, each multiplied by a weight of its own: one differentiable number.
double weighed(const Values& results, const Tensors& weights) {
  double sum = 0;
  for (size_t i = 0, k = 0; i < results.size(); ++i) {
    if (!results[i].is_tensor() || !is_float(results[i].tensor().dtype())) continue;
    const std::vector<double> v = values_of(results[i].tensor()), w = values_of(weights[k++]);
    for (size_t j = 0; j < v.size(); ++j) sum += v[j] * w[j];
  }
  return sum;
}

/// `graded` has the indices of the results with gradients. If it is empty, all results have gradients.
void expect_gradients(const Tensors& inputs, const Function& f, std::vector<size_t> graded = {}) {
  Tensors leaves;
  for (const Tensor& t : inputs) {
    leaves.push_back(call_op<"aten.clone.default">(t, Value()));
    set_requires_grad(leaves.back());
  }
  const auto chosen = [&](Values all) {
    if (graded.empty()) return all;
    Values some;
    for (size_t i : graded) some.push_back(all[i]);
    return some;
  };
  const Values results = chosen(f(leaves));
  Tensors outputs, weights;
  for (const Value& v : results) {
    if (!v.is_tensor() || !is_float(v.tensor().dtype())) continue;
    outputs.push_back(v.tensor());
    weights.push_back(uneven(to_string(TensorMeta(DType::F64, v.tensor().sizes(),
                                                  contiguous_strides(v.tensor().sizes()), v.tensor().device())),
                             double(weights.size()) + 0.5));
  }
  const Tensors gradients = grad(outputs, leaves, {.gradients = weights, .allow_unused = true});
  const NoGrad off;
  for (size_t n = 0; n < inputs.size(); ++n) {
    const std::vector<double> at = values_of(inputs[n]);
    const std::vector<double> found = gradients[n] ? values_of(gradients[n]) : std::vector<double>(at.size(), 0.0);
    ASSERT_EQ(found.size(), at.size());
    for (size_t i = 0; i < at.size(); ++i) {
      const double step = 1e-6;
      double sides[2];
      for (int side = 0; side < 2; ++side) {
        std::vector<double> moved = at;
        moved[i] += side ? step : -step;
        Tensors there = inputs;
        there[n] = make(to_string(inputs[n].meta()), moved);
        sides[side] = weighed(chosen(f(there)), weights);
      }
      const double expected = (sides[1] - sides[0]) / (2 * step);
      EXPECT_NEAR(found[i], expected, 1e-6 * (1 + std::abs(expected))) << "input " << n << ", element " << i;
    }
  }
}

/// A function that calls the operator with the tensors, followed by further arguments.
template <OpName op>
Function with(std::vector<Value> more = {}) {
  return [more](const Tensors& t) {
    std::vector<Value> args(t.begin(), t.end());
    args.insert(args.end(), more.begin(), more.end());
    return dispatch(op_entry<op>(), args);
  };
}
Tensors two(const std::string& meta) { return {uneven(meta, 1), uneven(meta, 2, 2)}; }
Value mask(std::initializer_list<bool> truths) {
  Values list;
  for (bool b : truths) list.push_back(Value(b));
  return Value::list(list);
}

TEST(GradientDifferences, ActivationsSecondGradients) {
  expect_gradients(two("f64[5]"), with<"aten.gelu_backward.default">({Value("none")}));
  expect_gradients(two("f64[5]"), with<"aten.gelu_backward.default">({Value("tanh")}));
  expect_gradients({uneven("f64[2,3]", 1), uneven("f64[2,6]", 2)}, with<"aten.glu_backward.default">({Value(-1)}));
  expect_gradients({uneven("f64[6]", 1), uneven("f64[6]", 2), uneven("f64[6]", 3)},
                   with<"aten._prelu_kernel_backward.default">());
  for (const bool is_result : {false, true}) {
    expect_gradients(two("f64[5]"), [&](const Tensors& t) {
      const Value args[] = {Value(t[0]), Value(0.8), Value(1.2), Value(0.7), Value(is_result), Value(t[1])};
      return dispatch(op_entry<"aten.elu_backward.default">(), args);
    });
  }
  expect_gradients(two("f64[5]"), with<"aten.softplus_backward.default">({Value(1.3), Value(20)}));
  expect_gradients(two("f64[5]"), with<"aten.tanh_backward.default">());
  expect_gradients(two("f64[5]"), with<"aten.sigmoid_backward.default">());
}

TEST(GradientDifferences, LossesSecondGradients) {
  const Tensor grad = uneven("f64[5]", 1), p = uneven("f64[5]", 2, 0.3, 0.5), t = uneven("f64[5]", 3, 0.3, 0.5),
               weight = uneven("f64[5]", 4);
  for (const int64_t reduction : {0, 1, 2}) {
    const Tensor one = reduction ? uneven("f64[]", 1) : grad;
    expect_gradients({one, p, t},
                     with<"aten.binary_cross_entropy_backward.default">({Value(weight), Value(reduction)}));
    expect_gradients({p, t}, with<"aten.binary_cross_entropy.default">({Value(weight), Value(reduction)}));
    expect_gradients({p, t}, with<"aten.binary_cross_entropy_with_logits.default">(
                                 {Value(weight), Value(uneven("f64[5]", 6)), Value(reduction)}));
    expect_gradients({one, p, t}, with<"aten.mse_loss_backward.default">({Value(reduction)}));
    expect_gradients({one, p, t}, with<"aten.smooth_l1_loss_backward.default">({Value(reduction), Value(0.3)}));
    expect_gradients({one, p, t}, with<"aten.huber_loss_backward.default">({Value(reduction), Value(0.3)}));
    expect_gradients({one, p}, with<"aten.soft_margin_loss_backward.default">({Value(weight), Value(reduction)}));
  }
}

TEST(GradientDifferences, BatchNormSecondGradients) {
  const Tensor mean = uneven("f64[2]", 5), var = uneven("f64[2]", 6, 0.2, 1);
  for (const bool train : {true, false}) {
    expect_gradients({uneven("f64[3,2,2]", 1), uneven("f64[3,2,2]", 2), uneven("f64[2]", 3)}, [&](const Tensors& t) {
      Values saved;
      {
        const NoGrad off;
        saved =
            call_op_all<"aten.native_batch_norm.default">(t[1], Value(), Value(), Value(), Value(), true, 0.1, 1e-3);
      }
      const Value args[] = {Value(t[0]), Value(t[1]), Value(t[2]),  Value(mean), Value(var),
                            saved[1],    saved[2],    Value(train), Value(1e-3), mask({true, true, true})};
      return dispatch(op_entry<"aten.native_batch_norm_backward.default">(), args);
    });
  }
}

TEST(GradientDifferences, LayerNormSecondGradients) {
  const DimVec inner{2, 2};
  const Tensor bias = uneven("f64[2,2]", 4);
  expect_gradients({uneven("f64[3,2,2]", 1), uneven("f64[3,2,2]", 2), uneven("f64[2,2]", 3)}, [&](const Tensors& t) {
    Values saved;
    {
      const NoGrad off;
      saved = call_op_all<"aten.native_layer_norm.default">(t[1], inner, Value(), Value(), 1e-3);
    }
    const Value args[] = {Value(t[0]), Value(t[1]), Value(inner), saved[1],
                          saved[2],    Value(t[2]), Value(bias),  mask({true, true, true})};
    return dispatch(op_entry<"aten.native_layer_norm_backward.default">(), args);
  });
}

TEST(GradientDifferences, GroupNormWithItsMeanAndScale) {
  expect_gradients({uneven("f64[2,4,3]", 1), uneven("f64[4]", 2), uneven("f64[4]", 3)},
                   with<"aten.native_group_norm.default">({Value(2), Value(4), Value(3), Value(2), Value(1e-3)}));
}

TEST(GradientDifferences, ReductionsByIndices) {
  const Tensor index = make("i64[2,3]", {0, 1, 1, 1, 0, 1});
  for (const char* reduce : {"sum", "prod", "mean", "amax", "amin"}) {
    for (const bool include_self : {true, false}) {
      expect_gradients({uneven("f64[2,3]", 1), uneven("f64[2,3]", 2)}, [&](const Tensors& t) {
        return call_op_all<"aten.scatter_reduce.two">(t[0], 0, index, t[1], reduce, include_self);
      });
      if (std::string_view(reduce) == "sum") continue;
      expect_gradients({uneven("f64[2,3]", 1), uneven("f64[2,2]", 2)}, [&](const Tensors& t) {
        return call_op_all<"aten.index_reduce.default">(t[0], 1, make("i64[2]", {2, 2}), t[1], reduce, include_self);
      });
    }
  }
}

TEST(GradientDifferences, ProductsByIndicesWithAZero) {
  expect_gradients({uneven("f64[2,3]", 1), make("f64[2,3]", {0, 2, 3, 4, 5, 6})}, [](const Tensors& t) {
    return call_op_all<"aten.scatter_reduce.two">(t[0], 0, make("i64[2,3]", {0, 1, 1, 0, 0, 1}), t[1], "prod", true);
  });
}

TEST(GradientDifferences, GridSamplersSecondGradients) {
  for (const int64_t padding : {0, 1, 2}) {
    for (const bool align : {false, true}) {
      const std::vector<Value> more{Value(0), Value(padding), Value(align), mask({true, true})};
      expect_gradients({uneven("f64[1,2,2,2]", 1), uneven("f64[1,2,3,2]", 2), uneven("f64[1,2,2,2]", 3, 1.4)},
                       with<"aten.grid_sampler_2d_backward.default">(more));
      expect_gradients({uneven("f64[1,1,1,2,1]", 1), uneven("f64[1,1,2,3,2]", 2), uneven("f64[1,1,2,1,3]", 3, 1.4)},
                       with<"aten.grid_sampler_3d_backward.default">(more));
    }
  }
}

TEST(GradientDifferences, ConvolutionsSecondGradients) {
  const DimVec one{1}, two_{2}, none{0};
  expect_gradients({uneven("f64[1,2,2]", 1), uneven("f64[1,2,4]", 2), uneven("f64[2,2,3]", 3)}, [&](const Tensors& t) {
    return call_op_all<"aten.convolution_backward.default">(t[0], t[1], t[2], DimVec{2}, two_, one, one, false, none, 1,
                                                            mask({true, true, true}));
  });
}

TEST(GradientDifferences, PooledByIndices) {
  const Tensor input = uneven("f64[1,1,4,4]", 2);
  const Tensor indices = call_op_all<"aten.max_pool2d_with_indices.default">(input, DimVec{2, 2}, DimVec{2, 2},
                                                                             DimVec{0, 0}, DimVec{1, 1}, false)[1]
                             .tensor();
  expect_gradients({uneven("f64[1,1,2,2]", 1)}, [&](const Tensors& t) {
    return call_op_all<"aten.max_pool2d_with_indices_backward.default">(t[0], input, DimVec{2, 2}, DimVec{2, 2},
                                                                        DimVec{0, 0}, DimVec{1, 1}, false, indices);
  });
  expect_gradients({uneven("f64[1,1,2,2]", 1)}, [&](const Tensors& t) {
    return call_op_all<"aten.max_unpool2d.default">(t[0], indices, DimVec{4, 4});
  });
}

}  // namespace
}  // namespace ersatz
