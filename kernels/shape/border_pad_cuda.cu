#include "kernels/dense_operand.h"
#include "kernels/shape/border_pad.h"
#include "kernels/shape/border_source.h"
#include "kernels/shape/device_image.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_border_pad {
namespace {

template <class Word, class Source>
struct Gather {
  ImageOrder order;
  ImageShape in, out;
  const Word* from;
  Word* to;
  int64_t before[3];
  ERSATZ_DEVICE void operator()(int64_t i) const {
    ImagePoint p = order.point(i);
    Word& place = to[out.offset(p)];
    for (int d = 0; d < 3; ++d) p.at[2 + d] = Source()(p.at[2 + d] - before[d], in.size[2 + d]);
    place = from[in.offset(p)];
  }
};

template <class Source>
void pad(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Tensor in = plain_input(call.tensor(kBorderPad["self"]));
  const auto padding = call.ints(kBorderPad["padding"]);
  const int spatial = static_cast<int>(padding.size()) / 2;
  const ImageShape to(out, spatial);
  const ImageOrder order(to);
  dispatch_item_size(item_size(in.dtype()), [&]<class Word>() {
    Gather<Word, Source> gather{order,
                                ImageShape(in, spatial),
                                to,
                                reinterpret_cast<const Word*>(in.raw_data()),
                                reinterpret_cast<Word*>(out.raw_data()),
                                {0, 0, 0}};
    for (int d = 0; d < spatial; ++d) gather.before[2 - d] = padding[static_cast<size_t>(2 * d)];
    cuda_module::launch_each(out.device().index, order.count(), gather);
  });
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name :
       {"aten.reflection_pad1d.default", "aten.reflection_pad2d.default", "aten.reflection_pad3d.default"}) {
    cuda_module::attach(registry, name, pad<ReflectedSource>);
  }
  for (const char* name :
       {"aten.replication_pad1d.default", "aten.replication_pad2d.default", "aten.replication_pad3d.default"}) {
    cuda_module::attach(registry, name, pad<ReplicatedSource>);
  }
}

}  // namespace ersatz::op_border_pad
