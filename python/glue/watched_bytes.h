// Detects bytes that a custom operator writes into its arguments, and elements of its results that it leaves unwritten.
// It is compiled with the glue, against the installed PyTorch.
#pragma once

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <string>
#include <vector>

#include "python/module/live_interface.h"

namespace ersatz::python {

/// Runs `looks`. Returns false if the device's backend lacks an operator that it calls; memory on that device is then
/// not checked.
template <class F>
bool can_look(F&& looks) {
  try {
    looks();
    return true;
  } catch (const c10::NotImplementedError&) {
    return false;
  }
}

inline at::Tensor bytes_of(const at::Tensor& t) { return t.contiguous().reshape({-1}).view(at::kByte); }
inline at::Tensor all_of(const at::Tensor& t) {
  const auto n = int64_t(t.storage().nbytes());
  return at::empty({0}, t.options().dtype(at::kByte)).set_(t.storage(), 0, {n}, {1});
}

/// Fills memory that a custom operator's kernel allocates with noise, to find elements that the kernel does not write.
class Filled {
 public:
  /// At most `most` bytes are filled, summed over all storages. Further storages are not filled.
  explicit Filled(uint64_t most) : left_(most) {}

  static bool allocates(const c10::OperatorHandle& op) {
    const std::string& name = op.operator_name().name;
    return name == "aten::empty" || name == "aten::empty_strided" || name == "aten::new_empty" ||
           name == "aten::empty_like" || name == "aten::empty_permuted" || name == "aten::new_empty_strided";
  }

  void fill(const at::Tensor& t) {
    if (!t.defined() || t.layout() != at::kStrided || !t.has_storage() || t.is_meta()) return;
    const size_t n = t.storage().nbytes();
    if (n == 0 || n > left_) return;
    if (!can_look([&] { all_of(t).copy_(noise(n)); })) return;
    left_ -= n;
    storages_.push_back(t.storage());
  }

  /// Searches unwritten elements in `x`, which is a tensor or a list of tensors.
  void look_at(const c10::IValue& x, const std::vector<at::Tensor>& arguments) {
    if (x.isTensorList()) {
      for (const c10::IValue& item : x.toListRef()) look_at(item, arguments);
      return;
    }
    const int32_t number = flat_++;
    if (!x.isTensor() || !x.toTensor().defined()) return;
    const at::Tensor& t = x.toTensor();
    const auto is_its = [&](const c10::Storage& s) {
      return s.unsafeGetStorageImpl() == t.storage().unsafeGetStorageImpl();
    };
    if (t.numel() == 0 || t.layout() != at::kStrided || !t.has_storage() ||
        std::none_of(storages_.begin(), storages_.end(), is_its) ||
        std::any_of(arguments.begin(), arguments.end(), [&](const at::Tensor& a) { return is_its(a.storage()); }))
      return;
    at::Tensor now;
    if (!can_look([&] { now = t.detach().resolve_conj().resolve_neg().cpu(); })) return;
    const at::Tensor all = noise(t.storage().nbytes()).clone();
    const at::Tensor before =
        at::empty({0}, now.options()).set_(all.storage(), t.storage_offset(), t.sizes(), t.strides());
    count(number, bytes_of(now), bytes_of(before), t.element_size());
  }

  std::vector<ErsatzUnwritten> found;

 private:
  /// Returns `n` pseudorandom bytes, which are equal in every call.
  static at::Tensor noise(size_t n) {
    static thread_local at::Tensor all;
    if (!all.defined() || size_t(all.numel()) < n) {
      all = at::empty({int64_t(std::max<size_t>(n, 4096))}, at::kByte);
      uint64_t state = 41;
      for (int64_t i = 0; i < all.numel(); ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        all.data_ptr<uint8_t>()[i] = uint8_t(state >> 56);
      }
    }
    return all.slice(0, 0, int64_t(n));
  }

  void count(int32_t number, const at::Tensor& now, const at::Tensor& before, int64_t width) {
    const uint8_t *mine = now.data_ptr<uint8_t>(), *theirs = before.data_ptr<uint8_t>();
    const int64_t elements = now.numel() / width;
    // A small element may equal the noise by chance, so only several in a row count as unwritten. An element of 4 or
    // more bytes counts alone.
    const int64_t enough = width < 4 ? std::min(8 / width, elements) : 1;
    int64_t same = 0, run = 0, longest = 0;
    for (int64_t i = 0; i < elements; ++i) {
      const bool is = std::equal(mine + i * width, mine + (i + 1) * width, theirs + i * width);
      same += is, run = is ? run + 1 : 0, longest = std::max(longest, run);
    }
    if (longest >= enough) found.push_back({number, same, elements});
  }

  size_t left_;
  std::vector<c10::Storage> storages_;
  int32_t flat_ = 0;
};

/// Copies the bytes of the arguments before a call, to find changed ones after it.
class Watched {
 public:
  /// Only storages of at most `most` bytes are copied and compared.
  Watched(const std::vector<at::Tensor>& tensors, uint64_t most) {
    for (const at::Tensor& t : tensors) {
      const auto same = [&](const Storage& s) { return s.impl == t.storage().unsafeGetStorageImpl(); };
      if (t.is_meta() || t.storage().nbytes() > most || std::any_of(storages_.begin(), storages_.end(), same)) continue;
      can_look([&] { storages_.push_back({t.storage().unsafeGetStorageImpl(), all_of(t).clone()}); });
    }
  }
  /// Returns the indices of the tensors with at least one element whose bytes have changed.
  std::vector<int32_t> changed(const std::vector<at::Tensor>& tensors) const {
    std::vector<int32_t> found;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const at::Tensor& t = tensors[i];
      for (const Storage& s : storages_) {
        if (s.impl != t.storage().unsafeGetStorageImpl() || t.storage().nbytes() < size_t(s.copy.numel())) continue;
        can_look([&] {
          if (at::equal(all_of(t).slice(0, 0, s.copy.numel()), s.copy)) return;
          const at::Tensor before =
              at::empty({0}, t.options()).set_(s.copy.storage(), t.storage_offset(), t.sizes(), t.strides());
          if (!at::equal(bytes_of(before), bytes_of(t))) found.push_back(int32_t(i));
        });
      }
    }
    return found;
  }

 private:
  struct Storage {
    const c10::StorageImpl* impl;
    at::Tensor copy;
  };
  std::vector<Storage> storages_;
};

}  // namespace ersatz::python
