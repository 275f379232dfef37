#include "kernels/core_decompositions.h"

#include "kernels/decomposition.h"

namespace ersatz {

void add_core_decompositions(Registry& registry) {
  using namespace decomposition;
  for (const std::span<const Row> rows : {attention_rows(), elementwise_rows(), reduction_rows(), shape_rows()}) {
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

constexpr Row kExported[] = {{"aten.dropout.default", dropout}};
constexpr std::string_view kWhole[] = {"aten.upsample_bilinear2d.vec", "aten.upsample_nearest2d.vec"};

}  // namespace

std::span<const Row> exported_rows() { return kExported; }
std::span<const std::string_view> exported_whole() { return kWhole; }

}  // namespace decomposition

}  // namespace ersatz
