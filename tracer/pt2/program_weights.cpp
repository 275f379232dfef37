#include "tracer/pt2/program_weights.h"

#include "fake/object/parameter.h"
#include "tracer/tensors/loaded_tensors.h"

namespace ersatz {

namespace {

class Payloads final : public StorageSource {
 public:
  explicit Payloads(const Weights& weights) : weights_(weights) {}
  int64_t nbytes(size_t storage) const override { return weights_.payloads()[storage].nbytes; }
  bool has_bytes(size_t) const override { return true; }
  void check(size_t) const override {}  // the program's loader has checked the weights
  Ref<Storage> read(size_t storage) const override {
    const Ref<Storage> bytes = weights_.storage(static_cast<uint32_t>(storage));
    return nbytes(storage) ? Storage::lazy_copy(bytes) : Storage::allocate(0, kCPU);
  }

 private:
  const Weights& weights_;
};

}  // namespace

NamedTensors program_weights(const Program& program, const LoadTensorsOptions& options) {
  const Payloads payloads(program.weights);
  TensorLoader loader("program_weights", payloads, options);
  NamedTensors loaded;
  for (const GraphInput& input : program.main().inputs) {
    if (input.stored == kNone) continue;
    const StoredTensor& stored = program.weights.tensors()[input.stored];
    TensorMeta meta = stored.meta;
    if (const TensorMeta* recorded = program.meta(program.main().values[input.value])) {
      meta.device = recorded->device;
      meta.requires_grad = recorded->requires_grad;
    }
    loader.expect(stored.name, stored.payload, meta);
    const Tensor t = loader.make(stored.payload, std::move(meta));
    if (input.kind == InputKind::Parameter) mark_parameter(t);
    loaded.emplace(stored.name, t);
  }
  return loaded;
}

}  // namespace ersatz
