#include "tools/program/descent.h"

#include "fake/watch/saved_generators.h"
#include "fake/watch/tensor_copies.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::tools {

void Descent::into(const OpEntry& op, std::string_view node, std::span<const Value> real_args) {
  const KeepGenerators keep(real_args);
  const std::vector<Value> args = TensorCopies().of(real_args);
  if (!mode_) mode_.emplace(options_);
  mode_->set_node(std::string(node));
  try {
    const ModeGuard guard(*mode_);
    Values results;
    run_composite(op, args, results);
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
  }
}

}  // namespace ersatz::tools
