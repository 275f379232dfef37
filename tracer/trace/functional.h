// A trace without writes: what the traced function writes becomes values that its later calls use.
//
// The function holds tensors as ever. Of each that is a view, has views or was written, the trace knows the value that
// stands for it now: a base has a value, and a view is the calls that made it of its base. A call that writes is made
// as its functional form; what it answers is put into the base by the inverses of the views, innermost first, and
// whoever is used after that is viewed anew of the base. So no node writes, and what became of the inputs is an
// output.
//
// A call's operator is known by what its schema says: what it writes, and what of its arguments its results are.
#pragma once

#include <memory>
#include <unordered_map>

#include "kernels/view_inverses.h"
#include "runtime/op/op_entry.h"

namespace ersatz {

class Tracer;

class FunctionalState {
 public:
  /// `copied`, if there is one, is told of each view that is not one of what the trace has for its base, and that is
  /// made of a row-major copy instead. Without, such a view is the error that it is.
  FunctionalState(Tracer& tracer, std::vector<std::string>* copied) : tracer_(tracer), copied_(copied) {}

  /// A call that the tracer writes down. TraceError where the op writes and has no functional form.
  void call(const OpEntry& op, std::span<const Value> args, Values& results);
  /// What stands for the tensors of the function now; other values as they are.
  Value current(const Value& v);
  std::vector<Value> current(std::span<const Value> values);
  /// What an input has become; undefined if nothing was written into it.
  Tensor written(const Tensor& input) const;

 private:
  struct Base {
    uint64_t origin = 0;  ///< identity of the tensor that it began as
    Tensor value;
    uint64_t writes = 0;
  };
  struct Handle {
    std::shared_ptr<Base> base;
    std::vector<ViewStep> steps;  ///< from the base
    Tensor value;
    uint64_t writes = 0;  ///< of the base when `value` was made
  };

  Tensor current(const Tensor& t);
  Tensor stand_in(const Tensor& t);
  Handle& handle(const Tensor& t);
  Tensor step_forward(const ViewStep& step, const Tensor& base);
  void note_views(const OpEntry& op, std::span<const Value> args, std::span<const Value> used, Values& results,
                  size_t before);
  void record_view(const OpEntry& op, std::vector<Value>& args, Values& results);
  void write(const OpEntry& op, std::span<const Value> args, Values& results);
  void write_copies(const OpEntry& op, std::span<const Value> args, Values& results);
  void change_metadata(const OpEntry& op, const OpEntry& form, std::span<const Value> args, Values& results);
  void assign(const OpEntry& op, std::span<const Value> args, const Value& written, const Value& now);
  void assign(const OpEntry& op, std::span<const Value> args, const Tensor& written, Tensor now);

  Tracer& tracer_;
  std::vector<std::string>* copied_;
  std::unordered_map<uint64_t, Handle> handles_;  ///< by identity
};

}  // namespace ersatz
