// The operators that a trace decomposes, in addition to implicit composites.
//
//   const DecompositionTable& core = core_decompositions();       // decomposes to core ATen
//   DecompositionTable mine;
//   mine.add("aten.addcmul.default", body);                       // a composite body (runtime/op/composite.h).
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

  /// Decomposes the op by `body` or, without `body`, by the composite body of its entry. RAISES NotSupported if the op
  /// is unknown or its entry has no body.
  void add(std::string_view op, CompositeBody body);
  void add(std::string_view op);
  void remove(std::string_view op);
  /// The op is then never decomposed, even if it is an implicit composite.
  void keep_whole(std::string_view op);

  /// Returns the body that decomposes the op; null if the table does not decompose it.
  CompositeBody find(const OpEntry& op) const;
  bool keeps_whole(const OpEntry& op) const;
  size_t size() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
