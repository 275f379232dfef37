// The made-up real inputs of one fallback, and the way back from what its kernel did with them.
//
// There is one real storage for each fake one and one real tensor for each fake one, with its strides, offset and
// flags. Results that are an input, share an input's storage or share one with each other map back to fakes that do the
// same. An object lives for one call; everything it made is freed with it.
#pragma once

#include <vector>

#include "fake/call/twins.h"

namespace ersatz {

class MadeUpInputs {
 public:
  MadeUpInputs(FakeModeState& mode, const OpEntry& op, Fill fill) : mode_(mode), op_(op), fill_(fill), twins_(mode) {}

  /// Bytes that the made-up tensors take: each storage once. Nothing is allocated.
  int64_t bytes_needed(std::span<const Value> args);
  /// The CUDA device among the inputs (or among arguments that name one); else the CPU.
  Device device() const { return device_; }
  bool on_meta() const { return on_meta_; }
  /// Made-up tensors of CUDA fakes will be made on the CPU, and what comes from there map back to their device.
  void use_cpu_in_place_of_device() {
    in_place_of_ = device_;
    twins_.put_cpu_on(device_);
  }

  /// The arguments with every fake replaced. Raises what a user's sample gives reason for.
  std::vector<Value> make(std::span<const Value> args);
  /// A result of the kernel as the mode's own. Counts numbers: they come from the fill.
  Value map_back(const Value& v, int& numbers);
  /// What the kernel changed about its inputs happens to the fakes.
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
