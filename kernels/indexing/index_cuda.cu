// index and index_put on CUDA.
//
// A single index tensor is read in place. Several index tensors are first combined to one tensor of offsets into self.
// If several values have one index without `accumulate`, the element keeps any one of the values, as in PyTorch. With
// `context.deterministic`, the element keeps the last value.
#include "kernels/indexing/device_combine.h"
#include "kernels/indexing/device_positions.h"
#include "kernels/indexing/index.h"
#include "kernels/indexing/index_call.h"
#include "kernels/indexing/scatter_places.h"

namespace ersatz::op_index {
namespace {

using namespace device_index;

/// Does what masked_positions does, on the device of self. The mask may be on the CPU.
std::vector<Tensor> positions_of(const Tensor& mask) {
  const Tensor found = flat_positions(mask, mask.sizes());
  std::vector<Tensor> vectors;
  std::vector<int64_t*> to;
  for (int64_t d = 0; d < std::max<int64_t>(mask.dim(), 1); ++d) {
    vectors.push_back(make_real_tensor(TensorMeta(DType::I64, found.sizes(), mask.device())));
    to.push_back(found.numel().as_int() == 0 ? nullptr : reinterpret_cast<int64_t*>(vectors.back().raw_data()));
  }
  const SymInt one[] = {1};
  split_positions(found, mask.dim() == 0 ? std::span<const SymInt>(one) : mask.sizes(), to.data());
  return vectors;
}
auto positions_on(Device device) {
  return [device](const Tensor& mask) { return positions_of(moved_to(device, mask)); };
}

struct AddOffset {
  pointwise::DeviceOffsets<2> offsets;
  std::byte* to;
  const std::byte* index;
  IndexReader read;
  int64_t stride;
  bool first;
  /// Adds this index times its stride to the offset. The offset becomes -1 if an index is out of range.
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    int64_t& sum = *reinterpret_cast<int64_t*>(to + at[0]);
    const int64_t before = first ? 0 : sum;
    int64_t place;
    sum = read.find(index + at[1], place) && before >= 0 ? before + place * stride : -1;
  }
};

std::string noted_list_words(const cuda_module::NotedValue& v) {
  return list_index_words(static_cast<int64_t>(v.value), v.dim, v.size);
}

/// Returns the index tensors of a list on self's device, expanded to their common shape, in the order of plan.indexed.
std::vector<DeviceIndex> checked_list(const KernelCall& call, const IndexPlan& plan, const Tensor& self,
                                      std::span<const Value> indices) {
  const int device = self.device().index;
  std::vector<DeviceIndex> wide;
  for (int64_t d : plan.indexed) {
    const Tensor index = readable(self.device(), indices[static_cast<size_t>(d)].tensor());
    const int64_t size = self.sizes()[static_cast<size_t>(d)].as_int();
    wide.push_back({broadcast_view(index, plan.index_shape), {index.dtype() == DType::I64, size, -size}});
  }
  bool empty = false;
  for (SymInt s : plan.index_shape) empty = empty || s.as_int() == 0;
  if (empty) return wide;
  if (!checks_at_once()) {
    for (size_t k = 0; k < wide.size(); ++k) {
      wide[k].read.note = cuda_module::note_for(
          device,
          {.family = ErrorFamily::Index, .words = noted_list_words, .size = wide[k].read.size, .dim = plan.indexed[k]});
    }
    return wide;
  }
  const cuda_module::DeviceFlag flag(device);
  for (const DeviceIndex& index : wide) look_outside(index, flag.address());
  if (flag.read() == 0) return wide;
  // Raises the CPU kernel's error: for the first element out of range in the first index that has one.
  for (size_t k = 0; k < wide.size(); ++k) {
    const int64_t size = wide[k].read.size;
    for (int64_t v : IndexValues(moved_to(kCPU, wide[k].tensor))) {
      if (v < -size || v >= size) fail_on_index(call, v, plan.indexed[k], size);
    }
  }
  return wide;
}

/// Makes the Places (device_places.h) that read or write the selected elements of `target`.
Places places_of(const IndexPlan& plan, const Tensor& target, std::span<const DeviceIndex> wide, const Tensor& other) {
  const Device device = target.device();
  Places p;
  p.other = other, p.target = target;
  for (int64_t d = 0; d < static_cast<int64_t>(plan.sizes.size()); ++d) {
    p.sizes.push_back(plan.sizes[static_cast<size_t>(d)].as_int());
    p.of_other.push_back(stride_at(other, d));
  }
  const size_t shape = plan.index_shape.size();
  if (wide.size() == 1) {
    const int64_t d = plan.indexed[0];
    p.index = wide[0];
    p.step = stride_at(target, d);
  } else {
    p.index = known_index(make_real_tensor(TensorMeta(DType::I64, plan.index_shape, device)));
    for (size_t k = 0; k < wide.size(); ++k) {
      const int64_t d = plan.indexed[k];
      const pointwise::LoopOperand operands[] = {operand_of(p.index.tensor), operand_of(wide[k].tensor)};
      pointwise::for_each_piece<2>(as_ints(plan.index_shape), operands, [&](const pointwise::DevicePiece<2>& piece) {
        cuda_module::launch_each(
            device.index, piece.numel,
            AddOffset{piece.offsets, piece.data[0], piece.data[1], wide[k].read, stride_at(target, d), k == 0});
      });
    }
  }
  for (size_t d = 0; d < plan.sizes.size(); ++d) {
    const bool picked = d >= plan.front && d < plan.front + shape;
    const size_t kept = d < plan.front ? d : d - shape;
    p.of_index.push_back(picked ? stride_at(p.index.tensor, static_cast<int64_t>(d - plan.front)) : 0);
    p.of_target.push_back(picked ? 0 : stride_at(target, plan.kept[kept]));
  }
  return p;
}

void pick_into(KernelCall& call, std::span<const Value> indices, const Tensor& out) {
  const Tensor self = plain_input(call.tensor(kReads["self"]));
  const IndexPlan plan = plan_of(call, self.meta(), indices);
  pick(places_of(plan, self, checked_list(call, plan, self, indices), out));
}

void index_cuda(KernelCall& call) {
  const Value list = without_masks(call.list(kReads["indices"]), positions_on(call.tensor(kReads["self"]).device()));
  pick_into(call, list.as_list(), call.outputs[0]);
}

void index_masked_cuda(KernelCall& call, Values& results) {
  pick_masked(call, results, positions_on(call.tensor(kMasked["self"]).device()), pick_into);
}

void index_put_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Value list = without_masks(call.list(kWrites["indices"]), positions_on(out.device()));
  const IndexPlan plan = plan_put(call, list);
  const bool add = call.boolean(kWrites["accumulate"]);
  const DType dtype = add ? combined_dtype(out.dtype()) : out.dtype();
  const Tensor given = moved_to(out.device(), call.tensor(kWrites["values"]));
  const Tensor values =
      broadcast_view(given.dtype() == dtype ? plain_input(given) : dense_as(given, dtype), plan.sizes);
  const std::vector<DeviceIndex> indices = checked_list(call, plan, out, list.as_list());
  const ScatterTarget target(call, dtype);
  const Places p = places_of(plan, target.tensor(), indices, values);
  add ? combine(call, p, Reduction::Sum) : put(call, p);
  target.finish();
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.index.Tensor", "aten.index.Tensor_out"}) {
    cuda_module::attach(registry, name, index_cuda);
    cuda_module::attach_returns(registry, name, index_masked_cuda);
  }
  cuda_module::attach(registry, "aten._unsafe_index.Tensor", index_cuda);
  for (const char* name : {"aten.index_put.default", "aten.index_put_.default", "aten._unsafe_index_put.default",
                           "aten._index_put_impl_.default"}) {
    cuda_module::attach(registry, name, index_put_cuda);
  }
}

}  // namespace ersatz::op_index
