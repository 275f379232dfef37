#include "kernels/core_decompositions.h"

#include "kernels/decomposition.h"
#include "kernels/linalg/matmul.h"

namespace ersatz {

void add_core_decompositions(Registry& registry) {
  using namespace decomposition;
  for (const std::span<const Row> rows :
       {attention_rows(), block_rows(), elementwise_rows(), reduction_rows(), resize_rows(), shape_rows()}) {
    for (const Row& r : rows) registry.find_mutable(r.op)->decomposes(r.body);
  }
}

namespace decomposition {
namespace {

void dropout(CompositeCall& call) {
  const Value &input = given(call, 0), &p = given(call, 1), &train = given(call, 2);
  if (!train.as_bool() || p.as_double() == 0) return call.returns(input);
  call.returns(std::move(call_op_all<"aten.native_dropout.default">(input, p, train)[0]));
}

/// one_hot(self, num_classes): what the op would refuse for its values is asserted.
void one_hot(CompositeCall& call) {
  const Tensor self = tensor(call, 0);
  const Value& classes = given(call, 1);
  const auto holds_for_all = [](const Tensor& t, std::string_view message) {
    call_op_all<"aten._assert_async.msg">(call_op<"aten.all.default">(t), message);
  };
  holds_for_all(call_op<"aten.ge.Scalar">(self, 0), "one_hot: Class values must be non-negative.");
  holds_for_all(call_op<"aten.lt.Scalar">(self, classes), "one_hot: Class values must be smaller than num_classes.");
  const Tensor place = unsqueeze(self, -1);
  call.returns(cast(call_op<"aten.eq.Tensor">(place, range(0, classes, self.device(), DType::I64)), DType::I64));
}
/// view.dtype is recorded as the view and an alias of it.
void view_dtype(CompositeCall& call) {
  call.returns(call_op<"aten.alias.default">(call_op<"aten.view.dtype">(tensor(call, 0), given(call, 1))));
}

constexpr Row kExported[] = {{"aten.dropout.default", dropout},
                             {"aten.matmul.default", op_matmul::exported_matmul},
                             {"aten.one_hot.default", one_hot},
                             {"aten.view.dtype", view_dtype}};
constexpr std::string_view kWhole[] = {"aten.upsample_bilinear2d.vec", "aten.upsample_nearest2d.vec"};

}  // namespace

std::span<const Row> exported_rows() { return kExported; }
std::span<const std::string_view> exported_whole() { return kWhole; }

}  // namespace decomposition

}  // namespace ersatz
