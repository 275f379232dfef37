// Checks of the memory that a call writes, for rules that make them before the checks of derived.h or instead of
// them.
#pragma once

#include <initializer_list>
#include <string_view>

#include "runtime/op/op_entry.h"
#include "runtime/op/rule.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// [`label`]: no two elements of `written`, called `named` in the error, share memory.
inline void require_own_elements(const RuleCall& call, std::string_view label, std::string_view named,
                                 const TensorMeta& written) {
  call.require(internal_overlap(written) != Overlap::Yes, label,
               "elements of {} share memory, clone it before writing: {} is {}", named, named, written);
}
/// The argument at position `written`; the error uses its name in the schema.
inline void require_own_elements(const RuleCall& call, std::string_view label, Position written) {
  require_own_elements(call, label, call.op.schema.arguments[written].name, call.meta(written));
}

/// [`label`]: no tensor at the positions `read` has elements in the memory of `written`, nor is `written` itself.
inline void require_reads_apart(const RuleCall& call, std::string_view label, const TensorImpl* written,
                                std::initializer_list<Position> read) {
  for (const Position i : read) {
    const TensorImpl* t = call.is_tensor(i) ? call.tensor(i) : nullptr;
    if (!t || t->storage != written->storage) continue;
    const SharedMemory shared = t == written ? SharedMemory::Full : shared_memory(t->meta, written->meta, true);
    call.require(shared != SharedMemory::Full && shared != SharedMemory::Partial, label,
                 "what is written shares memory with what is read, clone it first: {} and {}", t->meta, written->meta);
  }
}

}  // namespace ersatz
