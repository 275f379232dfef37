#include "python/module/arithmetic.h"

#include "python/module/arrays.h"
#include "python/module/callee.h"
#include "python/module/errors.h"
#include "python/module/indexing.h"
#include "python/module/tensor_object.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::python {
namespace {

enum class Operand { Other, Number, Tensor };

Operand operand(PyObject* o) {
  if (tensor_in(o)) return Operand::Tensor;
  // Includes bool, which is a subclass of int.
  if (PyLong_Check(o) || PyFloat_Check(o) || PyComplex_Check(o)) return Operand::Number;
  if (is_array(o)) return Operand::Tensor;
  return PyIndex_Check(o) || number_of_array_scalar(o) ? Operand::Number : Operand::Other;
}

PyObject* not_implemented() { return nb::borrow(Py_NotImplemented).release().ptr(); }

template <OpName name>
PyObject* call(PyObject* a, PyObject* b = nullptr) {
  static const Callee& callee = Callee::of(op_named(name.text));
  PyObject* const objects[] = {a, b};
  return callee.call({objects, b ? size_t(2) : size_t(1), nullptr});
}

/// Calls the operator for a binary expression with an ersatz tensor. `number` is the operator if the right operand is a
/// number, `reflected` if the left one is. With `reflected`, the operands are swapped if `turned` is set.
template <OpName tensors, OpName number, OpName reflected, bool turned>
PyObject* binary(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    const Operand left = operand(a), right = operand(b);
    if (left == Operand::Other || right == Operand::Other) return not_implemented();
    if (left == Operand::Number) return turned ? call<reflected>(b, a) : call<reflected>(a, b);
    return right == Operand::Tensor ? call<tensors>(a, b) : call<number>(a, b);
  });
}

/// PyTorch has no operator for a number divided by a tensor, so the quotient is computed as reciprocal times number.
PyObject* divide(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    const Operand left = operand(a), right = operand(b);
    if (left == Operand::Other || right == Operand::Other) return not_implemented();
    if (left == Operand::Tensor) return call<"aten.div.Tensor">(a, b);
    const nb::object reciprocal = nb::steal(call<"aten.reciprocal.default">(b));
    return call<"aten.mul.Tensor">(reciprocal.ptr(), a);
  });
}

PyObject* multiply_matrices(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    if (operand(a) != Operand::Tensor || operand(b) != Operand::Tensor) return not_implemented();
    return call<"aten.matmul.default">(a, b);
  });
}

template <OpName tensors, OpName reflected>
PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) noexcept {
  if (modulus != Py_None) return not_implemented();
  return binary<tensors, "aten.pow.Tensor_Scalar", reflected, false>(a, b);
}

template <OpName tensors, OpName number>
PyObject* in_place(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    const Operand right = operand(b);
    if (right == Operand::Other) return not_implemented();
    return right == Operand::Tensor ? call<tensors>(a, b) : call<number>(a, b);
  });
}

PyObject* power_in_place(PyObject* a, PyObject* b, PyObject*) noexcept {
  return in_place<"aten.pow_.Tensor", "aten.pow_.Scalar">(a, b);
}

template <OpName name>
PyObject* unary(PyObject* a) noexcept {
  return guarded([&] { return call<name>(a); });
}

PyObject* itself(PyObject* a) noexcept { return nb::borrow(a).release().ptr(); }

PyObject* compare(PyObject* a, PyObject* b, int how) noexcept {
  switch (how) {
    case Py_EQ:
      return in_place<"aten.eq.Tensor", "aten.eq.Scalar">(a, b);
    case Py_NE:
      return in_place<"aten.ne.Tensor", "aten.ne.Scalar">(a, b);
    case Py_LT:
      return in_place<"aten.lt.Tensor", "aten.lt.Scalar">(a, b);
    case Py_LE:
      return in_place<"aten.le.Tensor", "aten.le.Scalar">(a, b);
    case Py_GT:
      return in_place<"aten.gt.Tensor", "aten.gt.Scalar">(a, b);
    default:
      return in_place<"aten.ge.Tensor", "aten.ge.Scalar">(a, b);
  }
}

/// Returns a hash of the object's address. The value cannot be hashed, because `==` compares elements.
Py_hash_t identity(PyObject* a) noexcept { return static_cast<Py_hash_t>(reinterpret_cast<uintptr_t>(a) >> 4); }

nb::object only_value(PyObject* o, ErrorFamily family, const char* wanted) {
  const Tensor& t = *tensor_in(o);
  if (t.numel().guard_int() != 1) {
    fail(ErrorKind::InvalidArgument, family, "{}: a tensor of {} elements is no {}", t.meta(), t.numel().guard_int(),
         wanted);
  }
  return nb::steal(call<"aten._local_scalar_dense.default">(o));
}

int truth(PyObject* a) noexcept {
  const nb::object value =
      nb::steal(guarded([&] { return only_value(a, ErrorFamily::Runtime, "single truth value").release().ptr(); }));
  return value.is_valid() ? PyObject_IsTrue(value.ptr()) : -1;
}

PyObject* as_int(PyObject* a) noexcept {
  return guarded([&] { return PyNumber_Long(only_value(a, ErrorFamily::Value, "int").ptr()); });
}

PyObject* as_float(PyObject* a) noexcept {
  return guarded([&] { return PyNumber_Float(only_value(a, ErrorFamily::Value, "float").ptr()); });
}

PyObject* as_index(PyObject* a) noexcept {
  return guarded([&] {
    const Tensor& t = *tensor_in(a);
    if (!is_integral(t.dtype())) {
      fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "{}: only a tensor of integers is an index", t.meta());
    }
    return PyNumber_Long(only_value(a, ErrorFamily::Type, "index").ptr());
  });
}

Py_ssize_t length(PyObject* a) noexcept {
  try {
    const Tensor& t = *tensor_in(a);
    if (t.dim() == 0) fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "{}: a 0-d tensor has no len()", t.meta());
    return static_cast<Py_ssize_t>(t.size(0).guard_int());
  } catch (...) {
    raise_in_python();
    return -1;
  }
}

PyObject* item_at(PyObject* a, PyObject* key) noexcept {
  return guarded([&] { return indexed(a, key).release().ptr(); });
}

PyObject* rows(PyObject* a) noexcept {
  return guarded([&] {
    const Tensor& t = *tensor_in(a);
    if (t.dim() == 0) fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "{}: a 0-d tensor has no rows", t.meta());
    return PyObject_GetIter(nb::steal(call<"aten.unbind.int">(a)).ptr());
  });
}

template <class F>
void* slot(F* f) {
  return reinterpret_cast<void*>(f);
}

}  // namespace

nb::object only_item(PyObject* tensor) { return only_value(tensor, ErrorFamily::Runtime, "number"); }

PyType_Slot tensor_operators[] = {
    {Py_nb_add, slot(&binary<"aten.add.Tensor", "aten.add.Tensor", "aten.add.Tensor", true>)},
    {Py_nb_subtract, slot(&binary<"aten.sub.Tensor", "aten.sub.Tensor", "aten.rsub.Scalar", true>)},
    {Py_nb_multiply, slot(&binary<"aten.mul.Tensor", "aten.mul.Tensor", "aten.mul.Tensor", true>)},
    {Py_nb_true_divide, slot(&divide)},
    {Py_nb_floor_divide,
     slot(&binary<"aten.floor_divide.default", "aten.floor_divide.default", "aten.floor_divide.default", false>)},
    {Py_nb_remainder,
     slot(&binary<"aten.remainder.Tensor", "aten.remainder.Scalar", "aten.remainder.Scalar_Tensor", false>)},
    {Py_nb_power, slot(&power<"aten.pow.Tensor_Tensor", "aten.pow.Scalar">)},
    {Py_nb_matrix_multiply, slot(&multiply_matrices)},
    {Py_nb_and, slot(&binary<"aten.bitwise_and.Tensor", "aten.bitwise_and.Scalar", "aten.bitwise_and.Scalar", true>)},
    {Py_nb_or, slot(&binary<"aten.bitwise_or.Tensor", "aten.bitwise_or.Scalar", "aten.bitwise_or.Scalar", true>)},
    {Py_nb_xor, slot(&binary<"aten.bitwise_xor.Tensor", "aten.bitwise_xor.Scalar", "aten.bitwise_xor.Scalar", true>)},
    {Py_nb_lshift,
     slot(&binary<"aten.__lshift__.Tensor", "aten.__lshift__.Scalar", "aten.bitwise_left_shift.Scalar_Tensor", false>)},
    {Py_nb_rshift,
     slot(
         &binary<"aten.__rshift__.Tensor", "aten.__rshift__.Scalar", "aten.bitwise_right_shift.Scalar_Tensor", false>)},
    {Py_nb_inplace_add, slot(&in_place<"aten.add_.Tensor", "aten.add_.Tensor">)},
    {Py_nb_inplace_subtract, slot(&in_place<"aten.sub_.Tensor", "aten.sub_.Tensor">)},
    {Py_nb_inplace_multiply, slot(&in_place<"aten.mul_.Tensor", "aten.mul_.Tensor">)},
    {Py_nb_inplace_true_divide, slot(&in_place<"aten.div_.Tensor", "aten.div_.Tensor">)},
    {Py_nb_inplace_floor_divide, slot(&in_place<"aten.floor_divide_.Tensor", "aten.floor_divide_.Tensor">)},
    {Py_nb_inplace_remainder, slot(&in_place<"aten.remainder_.Tensor", "aten.remainder_.Scalar">)},
    {Py_nb_inplace_power, slot(&power_in_place)},
    {Py_nb_inplace_and, slot(&in_place<"aten.bitwise_and_.Tensor", "aten.bitwise_and_.Scalar">)},
    {Py_nb_inplace_or, slot(&in_place<"aten.bitwise_or_.Tensor", "aten.bitwise_or_.Scalar">)},
    {Py_nb_inplace_xor, slot(&in_place<"aten.bitwise_xor_.Tensor", "aten.bitwise_xor_.Scalar">)},
    {Py_nb_inplace_lshift, slot(&in_place<"aten.__ilshift__.Tensor", "aten.__ilshift__.Scalar">)},
    {Py_nb_inplace_rshift, slot(&in_place<"aten.__irshift__.Tensor", "aten.__irshift__.Scalar">)},
    {Py_nb_negative, slot(&unary<"aten.neg.default">)},
    {Py_nb_absolute, slot(&unary<"aten.abs.default">)},
    {Py_nb_invert, slot(&unary<"aten.bitwise_not.default">)},
    {Py_nb_positive, slot(&itself)},
    {Py_nb_bool, slot(&truth)},
    {Py_nb_int, slot(&as_int)},
    {Py_nb_float, slot(&as_float)},
    {Py_nb_index, slot(&as_index)},
    {Py_tp_richcompare, slot(&compare)},
    {Py_tp_hash, slot(&identity)},
    {Py_tp_iter, slot(&rows)},
    {Py_mp_length, slot(&length)},
    {Py_mp_subscript, slot(&item_at)},
    {0, nullptr}};

}  // namespace ersatz::python
