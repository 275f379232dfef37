// Checks of the memory that a call writes. Rules call them if PyTorch makes these checks before the checks of
// runtime/op/derived.h, or makes no other checks of memory.
#pragma once

#include <initializer_list>
#include <string_view>

#include "runtime/op/op_entry.h"
#include "runtime/op/rule.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// Requires [`label`]: no two elements of `written` share memory. The error text names the tensor `named`.
inline void require_own_elements(const RuleCall& call, std::string_view label, std::string_view named,
                                 const TensorMeta& written) {
  call.require(internal_overlap(written) != Overlap::Yes, label,
               "elements of {} share memory, clone it before writing: {} is {}", named, named, written);
}
/// Requires [`label`]: no two elements of the argument at position `written` share memory. The error text has the
/// argument's name.
inline void require_own_elements(const RuleCall& call, std::string_view label, Position written) {
  require_own_elements(call, label, call.op.schema.arguments[written].name, call.meta(written));
}

/// Requires [`label`]: no tensor at the positions `read` is `written` itself or shares memory with it.
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
