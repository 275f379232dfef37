// Which operators a trace takes apart, beside implicit composites.
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

  /// Takes the op apart as the body says, or as its entry says. NotSupported for an unknown op, and for one whose entry
  /// says nothing.
  void add(std::string_view op, CompositeBody body);
  void add(std::string_view op);
  void remove(std::string_view op);
  /// The op is not taken apart, not even as the implicit composite that it may be.
  void keep_whole(std::string_view op);

  /// Null: the table does not take it apart.
  CompositeBody find(const OpEntry& op) const;
  bool keeps_whole(const OpEntry& op) const;
  size_t size() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
