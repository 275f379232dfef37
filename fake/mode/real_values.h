// Real tensors carried beside fakes (FakeOptions::propagate_real): which fakes have one, where values were lost, how
// many bytes they take.
//
// The real tensor of a fake is its TensorExtra::real. A converted tensor gets a copy that shares bytes with the
// original until one of the two is written; a result of an op gets what the op's kernel made.
//
// Invariants
// V1  Fakes that share a fake storage have real tensors that share one real storage.
// V2  What is here keeps nothing alive: fakes own their real tensors, the table is weak. It may outlive its mode and
//     shows then that nothing was left.
// V3  A fake whose storage was written without its value loses the real tensor, with every fake on that storage.
// V4  A loss has one entry in the report; what is computed from a lost value inherits its losses.
// The table is guarded by a mutex: any thread. Writers of one tensor order themselves, as for real tensors.
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

  /// `real` is the value of `fake` from now on. InternalError where `real` is itself a fake or undefined.
  void attach(const Tensor& fake, const Tensor& real);
  /// The value of `fake` is a lazy copy of the original's: of a real tensor, or of another mode's fake that has one.
  /// What has no value is entered as lost.
  void attach_copy(const Tensor& fake, const Tensor& original);
  /// The fake got another storage or other metadata, and not from an op: makes its real tensor follow.
  void follow(TensorImpl* fake);
  /// The real tensor of a fake (a known value counts); undefined where it has none.
  static Tensor of(const TensorImpl* fake);

  /// The entry of a loss in the report; equal ones are one.
  LossId loss(std::string_view op, std::string_view reason);
  /// Why the fake has no value. One that never had one is entered as lost now.
  LossIds losses_of(const TensorImpl* fake);
  /// Takes the values of every fake on the storage, for these reasons.
  void lose(const Ref<Storage>& fake_storage, const LossIds& losses);
  /// Says why a fake that has no value has none; other fakes on its storage keep theirs.
  void note_lost(const TensorImpl* fake, const LossIds& losses);
  /// A fresh value is given to the storage: REQUIRES that no fake on it has one.
  void forget_losses(const Ref<Storage>& fake_storage);
  /// The op was not run for real because of these.
  void note_affected(const LossIds& losses, std::string_view op);
  /// `reason (at op)` of the first loss, for messages.
  std::string explain(const LossIds& losses);
  void note_data_use(std::string_view op, const SeenValue& value);
  void note_mismatch(std::string_view op, const std::string& message);
  void note_missing_rule(std::string_view op);
  RealReport report();

  /// May the next call allocate as many bytes? If so they count.
  bool fits(int64_t bytes);
  int64_t budget() const { return budget_; }
  /// Frees every real tensor. What is converted later carries values again.
  void drop();
  /// Real storages that fakes carry, and the bytes that they take: a lazy copy takes none before it is parted.
  size_t live_copies();
  int64_t live_bytes();

 private:
  struct Carried {
    WeakRef<Storage> real;
    WeakRef<Storage> fake;  // of an entry with losses, which lasts as long as the fake storage; others last as `real`
    InlineVec<WeakRef<TensorImpl>, 1> fakes;  // those with a real tensor: nearly always one
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
  int64_t bytes_at_most_ = 0;  // since the last count, nothing freed meanwhile taken off
  std::mutex mutex_;
  std::pmr::unsynchronized_pool_resource entries_;
  std::pmr::unordered_map<uint64_t, Carried> by_fake_storage_{&entries_};
  size_t purge_at_ = 64;
  RealReport report_;
  std::unordered_map<std::string, size_t> known_events_;  // text of an event -> its place in the report
};

}  // namespace ersatz
