// The operators that a trace decomposes, besides implicit composites.
//
//   const DecompositionTable& core = core_decompositions();       // all that are not core ATen and can be taken apart
//   DecompositionTable mine;
//   mine.add("aten.addcmul.default", body);                       // a composite body (runtime/op/composite.h)
#pragma once

#include <memory>
#include <string_view>

#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz {

class DecompositionTable {
 public:
  DecompositionTable();
  DecompositionTable(const DecompositionTable&);
  DecompositionTable(DecompositionTable&&) noexcept;
  DecompositionTable& operator=(const DecompositionTable&);
  DecompositionTable& operator=(DecompositionTable&&) noexcept;
  ~DecompositionTable();

  /// Decomposes the op by `body`, or by the body in its entry. Raises NotSupported for an unknown op, and for an entry
  /// without a body.
  void add(std::string_view op, CompositeBody body);
  void add(std::string_view op);
  void remove(std::string_view op);
  /// Never decomposes the op, not even if it is an implicit composite.
  void keep_whole(std::string_view op);

  /// Returns null if the table does not decompose the op.
  CompositeBody find(const OpEntry& op) const;
  bool keeps_whole(const OpEntry& op) const;
  size_t size() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
