// Stores PyTorch's metadata of the values of a torch.fx graph in a program, as evidence that rules are compared with.
//
// A tensor's record has dtype, sizes, strides, storage offset and device; a number's record has its value. Sizes may be
// expressions over symbols. Each symbol gets the example value with which PyTorch traced the graph.
//
// All functions REQUIRE the GIL.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "python/module/torch_fakes.h"
#include "tracer/pasted/annotation.h"
#include "tracer/program/program.h"

namespace ersatz::python {

class TorchRecords {
 public:
  TorchRecords(const TorchLibrary& torch, const TorchFakes& fakes, Program& to)
      : torch_(torch), fakes_(fakes), program_(to) {}

  /// Stores the metadata of `object`, a tensor or a number, in `value`. Stores nothing for None, a list, an object, or
  /// a tensor of another class. Raises NotSupported with the reason if the tensor's metadata cannot be read.
  void record(GraphValue& value, nb::handle object);
  /// Gives each symbol its example value. Returns the symbols for which PyTorch has none: they get a made-up value.
  std::vector<std::string> settle();

 private:
  TensorMeta symbolic_meta(nb::handle tensor);
  void symbol(GraphValue& value, nb::handle object);
  SymInt size_of(nb::handle size);
  /// Returns the expression of a SymInt.
  SymInt expression(nb::handle symbol);
  void note_symbols(nb::handle expression, nb::handle node);

  const TorchLibrary& torch_;
  const TorchFakes& fakes_;
  Program& program_;
  std::unordered_map<PyObject*, SymInt> expressions_;  ///< by SymNode, and by sympy expression
  std::vector<nb::object> alive_;                      ///< the keys of `expressions_`: no other object gets an address
  pasted::SymbolHints hints_;
};

}  // namespace ersatz::python
