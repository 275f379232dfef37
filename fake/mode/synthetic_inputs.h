// Makes the synthetic real inputs of one fallback, and maps its kernel's results and changes to fakes.
//
// There is one real storage for each fake storage, and one real tensor, with equal strides, offset and flags, for each
// fake. A kernel's result that is an input, or shares storage with an input or another result, is mapped to a fake with
// the same relation. An object is used for one call; its tensors are freed with it.
#pragma once

#include <vector>

#include "fake/mode/fake_real_map.h"

namespace ersatz {

class SyntheticInputs {
 public:
  SyntheticInputs(FakeModeState& mode, const OpEntry& op, Fill fill)
      : mode_(mode), op_(op), fill_(fill), twins_(mode) {}

  /// Returns the bytes of the synthetic tensors, counting each storage once. Allocates nothing.
  int64_t bytes_needed(std::span<const Value> args);
  /// Returns the CUDA device of an input or of a Device argument; the CPU if there is none.
  Device device() const { return device_; }
  bool on_meta() const { return on_meta_; }
  /// After this call, the synthetic tensors of CUDA fakes are made on the CPU, and CPU results are mapped to fakes on
  /// the CUDA device.
  void use_cpu_in_place_of_device() {
    in_place_of_ = device_;
    twins_.put_cpu_on(device_);
  }

  /// Returns the arguments with each fake replaced by its synthetic tensor. Raises an error if a user's sample has the
  /// wrong dtype, sizes or device.
  std::vector<Value> make(std::span<const Value> args);
  /// Returns the fake of a kernel's result. `numbers` is increased if the result is a number, because the fill
  /// determines its value.
  Value map_back(const Value& v, int& numbers);
  /// Applies the kernel's changes to its inputs (metadata, storage size, versions) to the fakes.
  void map_changes();

 private:
  struct Bytes {
    Ref<Storage> fake, real;
    Ref<Storage> host;  ///< the CPU storage that is filled; on the CPU it is `real` itself
  };
  Value synthetic(const Value& v, size_t argument);
  Tensor synthetic(TensorImpl* fake, size_t argument);
  Bytes& bytes_of(TensorImpl* fake, bool& fresh);
  void copy_sample(const Bytes& bytes, TensorImpl* fake, size_t argument);
  void fill_index_domains(std::span<const Value> args);

  FakeModeState& mode_;
  const OpEntry& op_;
  const Fill fill_;
  Device device_ = kCPU;
  std::optional<Device> in_place_of_;
  bool on_meta_ = false;
  std::vector<Tensor> tensors_;       // the synthetic tensors
  std::vector<TensorImpl*> sampled_;  // inputs that a user's sample fills
  std::vector<Bytes> storages_;       // one entry per storage of the inputs
  FakeRealMap twins_;
};

}  // namespace ersatz
