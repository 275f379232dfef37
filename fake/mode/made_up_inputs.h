// The made-up real inputs of one fallback, and the mapping of its kernel's results and changes back to fakes.
//
// Each fake storage has one real storage, each fake tensor one real tensor with the fake's strides, offset and flags.
// Results that are an input, share an input's storage or share one with each other map back to fakes that do the same.
// An object lives for one call; everything it made is freed with it.
#pragma once

#include <vector>

#include "fake/mode/twins.h"

namespace ersatz {

class MadeUpInputs {
 public:
  MadeUpInputs(FakeModeState& mode, const OpEntry& op, Fill fill) : mode_(mode), op_(op), fill_(fill), twins_(mode) {}

  /// Bytes that the made-up tensors take: each storage once. Nothing is allocated.
  int64_t bytes_needed(std::span<const Value> args);
  /// The CUDA device among the inputs (or among arguments that name one); else the CPU.
  Device device() const { return device_; }
  bool on_meta() const { return on_meta_; }
  /// Made-up tensors of CUDA fakes will be made on the CPU; results on the CPU map back to fakes on that device.
  void use_cpu_in_place_of_device() {
    in_place_of_ = device_;
    twins_.put_cpu_on(device_);
  }

  /// The arguments with every fake replaced. Raises where a user's sample does not fit.
  std::vector<Value> make(std::span<const Value> args);
  /// The fake of a kernel's result. `numbers` counts the results that are numbers: these come from the fill.
  Value map_back(const Value& v, int& numbers);
  /// Makes the changes that the kernel made to its inputs (metadata, storage size, versions) in the fakes.
  void map_changes();

 private:
  struct Bytes {
    Ref<Storage> fake, real;
    Ref<Storage> host;  ///< what is filled: `real` itself on the CPU
  };
  Value made_up(const Value& v, size_t argument);
  Tensor made_up(TensorImpl* fake, size_t argument);
  Bytes& bytes_of(TensorImpl* fake, bool& fresh);
  void copy_sample(const Bytes& bytes, TensorImpl* fake, size_t argument);
  void fill_index_domains(std::span<const Value> args);

  FakeModeState& mode_;
  const OpEntry& op_;
  const Fill fill_;
  Device device_ = kCPU;
  std::optional<Device> in_place_of_;
  bool on_meta_ = false;
  std::vector<Tensor> tensors_;       // the made-up ones
  std::vector<TensorImpl*> sampled_;  // inputs that hold a user's sample
  std::vector<Bytes> storages_;       // of inputs
  Twins twins_;
};

}  // namespace ersatz
