// The real tensors that fakes carry (FakeOptions::propagate_real), the values that were lost, and the bytes in use.
//
// TensorExtra::real has a fake's real tensor. For a converted tensor it is a lazy copy, which shares the original's
// bytes until one of the two is written. For a result of an op it is the kernel's result.
//
// Invariants
// V1  Fakes that share a fake storage have real tensors that share one real storage.
// V2  Fakes own their real tensors; RealValues has weak references only. So it may outlive its mode, and then shows
//     whether a value is still alive.
// V3  If an op writes a fake storage but not its real storage, all fakes on it lose their real tensors.
// V4  A loss has one entry in the report. A result that is computed from a lost value has the value's losses.
// A mutex guards RealValues: any thread may use it. Threads that write one tensor must synchronise, as for real
// tensors.
#pragma once

#include <memory_resource>
#include <mutex>
#include <unordered_map>

#include "fake/mode/real_report.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

class RealValues final : public RefCounted {
 public:
  using LossId = uint32_t;
  using LossIds = InlineVec<LossId, 2>;

  /// `budget`: the most bytes that copies and results may take.
  explicit RealValues(int64_t budget) : budget_(budget) {}

  /// Makes `real` the value of `fake`. Raises InternalError if `real` is fake or undefined.
  void attach(const Tensor& fake, const Tensor& real);
  /// Gives `fake` a lazy copy of the value of `original`, which is a real tensor or a fake of another mode. If
  /// `original` is a fake without a value, a loss is added to the report.
  void attach_copy(const Tensor& fake, const Tensor& original);
  /// Gives the fake's real tensor the fake's current storage and metadata, after a change that no op made.
  void follow(TensorImpl* fake);
  /// Returns the real tensor of a fake, or else its known value; undefined if it has neither.
  static Tensor of(const TensorImpl* fake);

  /// Returns the report's entry for a loss, and adds the entry if the loss is new. Equal losses at one source line have
  /// one entry.
  LossId loss(std::string_view op, std::string_view reason);
  /// Returns the reasons why a fake has no value. If none is recorded, records and returns `made without a value`.
  LossIds losses_of(const TensorImpl* fake);
  /// Removes the values of all fakes on the storage. `losses` are the reasons, which the report then has.
  void lose(const Ref<Storage>& fake_storage, const LossIds& losses);
  /// Records the reasons why a fake has no value. Other fakes on its storage keep their values.
  void note_lost(const TensorImpl* fake, const LossIds& losses);
  /// Removes the losses of a storage that is about to get a new value, unless a fake on it has a value.
  void forget_losses(const Ref<Storage>& fake_storage);
  /// Records in the report that `op` did not run for real because of these losses.
  void note_affected(const LossIds& losses, std::string_view op);
  /// Returns the text of the first loss for messages: `reason at op, source line`.
  std::string explain(const LossIds& losses);
  void note_data_use(std::string_view op, const SeenValue& value);
  void note_mismatch(std::string_view op, const std::string& message);
  void note_missing_rule(std::string_view op);
  RealReport report();

  /// Returns whether `bytes` more fit into the budget. If so, they count as used.
  bool fits(int64_t bytes);
  int64_t budget() const { return budget_; }
  /// Removes the real tensors of all fakes. Tensors that are converted later get values again.
  void drop();
  /// Return the number and the bytes of the real storages that fakes carry. A lazy copy that still shares its
  /// original's bytes counts as 0 bytes.
  size_t live_copies();
  int64_t live_bytes();

 private:
  struct Carried {
    WeakRef<Storage> real;
    WeakRef<Storage> fake;  // set only if there are losses: the entry then lives as long as this storage, otherwise as
                            // long as `real`
    InlineVec<WeakRef<TensorImpl>, 1> fakes;  // fakes that have a real tensor, nearly always one
    size_t purge_at = 8;
    LossIds losses;
  };
  Carried& entry(const Ref<Storage>& fake_storage);
  void add_losses(const Ref<Storage>& fake_storage, Carried& c, const LossIds& losses);
  void take_values(uint64_t storage, Carried& c);
  void list(Carried& c, TensorImpl* fake);
  void purge_if_grown();
  int64_t count_bytes();
  LossId loss_locked(std::string_view op, std::string_view reason);

  const int64_t budget_;
  int64_t bytes_at_most_ = 0;  // upper bound of the bytes in use: bytes that were freed since the last count are still
                               // included
  std::mutex mutex_;
  std::pmr::unsynchronized_pool_resource entries_;
  std::pmr::unordered_map<uint64_t, Carried> by_fake_storage_{&entries_};
  size_t purge_at_ = 64;
  RealReport report_;
  std::unordered_map<std::string, size_t> known_events_;  // maps the text of an event to its index in the report
};

}  // namespace ersatz
