#include "tracer/records/device_records.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "fake/mode/fake_mode.h"
#include "fake/outcome/compare.h"
#include "runtime/base/other_devices.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/registry.h"
#include "tracer/records/record_chunks.h"
#include "tracer/records/record_outcome.h"

namespace ersatz {
namespace {

/// Learns the layouts of one call, or returns the reason why it cannot.
class LearntCall {
 public:
  explicit LearntCall(const CallRecord& record) : record_(record) {}

  /// Returns an empty text if the call was used, else the reason why it was not.
  std::string learn(RecordedLayouts& rows) {
    if (!record_.unusable.empty()) return record_.unusable;
    if (!record_.died.empty() || !record_.outcome.error.empty()) return "the call failed on the device";
    const OpEntry* op = registry().find(record_.op);
    if (!op || op->name != record_.op) return "ersatz has no such operator";
    const ContextGuard of_its_group([&](RuleContext& c) {
      if (record_.group) c.groups = ProcessGroups::of({*record_.group});
    });
    try {
      return compare_with(*op, rows);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      const bool by_data = e.kind == ErrorKind::DataDependentOutput || e.kind == ErrorKind::DynamicOutputShape;
      return by_data ? "the results depend on data" : "ersatz refuses the call";
    }
  }

 private:
  std::string compare_with(const OpEntry& op, RecordedLayouts& rows) {
    is_composite_ = op.composite && !op.rule;  // the calls inside a composite allocate the memory
    const std::vector<Value> args = arguments(op);
    // Taken before the call, because the call may change its arguments.
    const std::string situation = layout_situation(args);
    Values answered;
    {
      const FakeScope scope(mode_);
      dispatch(op, args, answered);
    }
    Values results;
    flatten(answered, results);
    std::vector<TensorImpl*> tensors;
    for (const Tensor& t : fakes_) tensors.push_back(t.impl());
    Outcome mine = outcome_of(tensors, results, Sharing::ByObjects);
    const Outcome recorded = outcome_of(record_, record_.outcome);
    mine.after.clear();
    for (OutcomeLeaf& leaf : mine.results) {
      if (is_laid_out(leaf)) leaf.open.add(MetaField::Stride);
    }
    const OutcomeDiff differs = compare(mine, recorded, {.fields = kAllButRequiresGrad});
    if (differs.count) return kOther;
    std::vector<bool> others(mine.results.size(), false);
    for (const OutcomeDiff::Leaf& leaf : differs.results) others[leaf.at] = leaf.diff.is_significant();
    bool any = false;
    for (size_t k = 0; k < mine.results.size(); ++k) {
      any |= others[k];
      if (!others[k] && is_laid_out(mine.results[k]))
        rows.add({op.name, static_cast<int>(k), {}, recorded.results[k].meta->strides, situation});
    }
    return any ? kOther : "";
  }

  /// Returns whether the call decided the tensor's layout: the tensor is new, or an argument that the call resized.
  bool is_laid_out(const OutcomeLeaf& leaf) const {
    if (leaf.kind != OutcomeLeaf::Kind::Tensor || !leaf.place) return false;
    if (leaf.place->same_storage < 0) return true;
    if (is_composite_) return false;
    const auto argument = static_cast<size_t>(leaf.place->same_object);
    return leaf.place->same_object >= 0 && argument < record_.tensors.size() &&
           !same_sizes(leaf.meta->sizes, record_.tensors[argument].meta.sizes);
  }

  std::vector<Value> arguments(const OpEntry& op) {
    std::unordered_map<int64_t, Ref<Storage>> storages;
    for (const RecordedTensor& t : record_.tensors) {
      Ref<Storage>& storage = storages[t.storage];
      if (!storage) storage = Storage::make_fake(t.nbytes, t.meta.device);
      fakes_.push_back(t.is >= 0 ? fakes_[static_cast<size_t>(t.is)] : mode_.make_on(storage, t.meta));
    }
    return bind_recorded(op.schema, record_, fakes_);
  }

  static constexpr const char* kOther = "ersatz answers with other results";
  const CallRecord& record_;
  bool is_composite_ = false;
  const FakeMode mode_;
  std::vector<Tensor> fakes_;
};

std::string listed(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& n : names) text += (text.empty() ? "" : ", ") + n;
  return text.empty() ? "no device" : text;
}

}  // namespace

DeviceRecords read_device_records(const std::string& file, std::string_view device) {
  DeviceRecords read{.file = file, .device = std::string(device), .rows = {}, .left_out = {}};
  std::set<std::string> seen;
  RecordChunks chunks({file});
  RecordChunk chunk;
  while (chunks.next(chunk)) {
    chunk.each_line([&](std::string_view line, int64_t number) {
      const CallRecord record = parse_call_record(line, fmt::format("{}:{}", file, number));
      bool there = false;
      const auto see = [&](const TensorMeta& meta) {
        seen.emplace(device_name(meta.device));
        there |= device_name(meta.device) == device;
      };
      for (const RecordedTensor& t : record.tensors) see(t.meta);
      for (const RecordedResult& r : record.outcome.results) {
        if (r.kind == RecordedResult::Kind::Tensor) see(r.tensor.meta);
      }
      if (!there) return;
      ++read.calls;
      const std::string why = LearntCall(record).learn(read.rows);
      if (!why.empty()) ++read.left_out[why];
    });
  }
  if (read.calls == 0)
    fail_argument("{}: none of its calls has a tensor on {}: there are tensors on {}", file, device, listed(seen));
  return read;
}

}  // namespace ersatz
