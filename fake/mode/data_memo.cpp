#include "fake/mode/data_memo.h"

#include <algorithm>

#include "runtime/op/rule.h"

namespace ersatz {

std::optional<SymInt> memo_of(TensorImpl& t, MemoSlot slot, uint64_t epoch) {
  if (!t.extra) return std::nullopt;
  std::vector<DataMemo>& memos = t.extra->memos;
  const auto at =
      std::find_if(memos.begin(), memos.end(), [&](const DataMemo& m) { return m.slot == static_cast<uint8_t>(slot); });
  if (at == memos.end()) return std::nullopt;
  if (at->version == t.storage->version() && at->epoch == epoch) return at->symbol;
  memos.erase(at);
  return std::nullopt;
}

void set_memo(TensorImpl& t, MemoSlot slot, uint64_t epoch, std::optional<SymInt> symbol) {
  if (t.extra) std::erase_if(t.extra->memos, [&](const DataMemo& m) { return m.slot == static_cast<uint8_t>(slot); });
  if (!symbol || rule_context().inference_mode) return;
  if (!t.extra) t.extra = make_ref<TensorExtra>();
  t.extra->memos.push_back({static_cast<uint8_t>(slot), t.storage->version(), epoch, *symbol});
}

}  // namespace ersatz
