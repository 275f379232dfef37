// Makes a trace without writes. Each write of the traced function becomes a new value, which later calls use.
//
// The traced function has its tensors as usual. The trace stores the current value of each tensor that is a view, has
// views or was written. For a base it stores a value, for a view the calls that make it from its base. A call that
// writes is recorded in its functional form. Its result is put into the base through the inverses of the views, the
// innermost first. A view that is used afterwards is made again from the base. So no node writes, and the final values
// of written inputs become outputs.
//
// The schema of an operator tells which arguments it writes and which arguments its results alias.
#pragma once

#include <memory>
#include <unordered_map>

#include "kernels/view_inverses.h"
#include "runtime/op/op_entry.h"

namespace ersatz {

class Tracer;

class FunctionalState {
 public:
  /// A view may be impossible for the strides in the trace. If `copied` is null, the view then raises its error.
  /// Otherwise it is taken of a row-major copy, and a line about that is appended to `copied`.
  FunctionalState(Tracer& tracer, std::vector<std::string>* copied) : tracer_(tracer), copied_(copied) {}

  /// Records a call. RAISES TraceError if the op writes and has no functional form.
  void call(const OpEntry& op, std::span<const Value> args, Values& results);
  /// Returns the value with each tensor of the traced function replaced by its current value. Other values are
  /// unchanged.
  Value current(const Value& v);
  std::vector<Value> current(std::span<const Value> values);
  /// Returns the final value of an input; an undefined tensor if it was not written.
  Tensor written(const Tensor& input) const;

 private:
  struct Base {
    uint64_t origin = 0;  ///< identity of the tensor object that was the first value
    Tensor value;
    uint64_t writes = 0;
  };
  struct Handle {
    std::shared_ptr<Base> base;
    std::vector<ViewStep> steps;  ///< the calls that make the view from its base
    Tensor value;
    uint64_t writes = 0;  ///< number of writes to the base at the time when `value` was made
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
  std::unordered_map<uint64_t, Handle> handles_;  ///< key: identity of the tensor object
};

}  // namespace ersatz
