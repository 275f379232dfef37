#include "python/module/indexing.h"

#include "python/module/arrays.h"
#include "python/module/callee.h"
#include "python/module/tensor_object.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::python {
namespace {

bool is_mask(const Tensor& t) { return t.dtype() == DType::Bool || t.dtype() == DType::U8; }

class Indexing {
 public:
  explicit Indexing(const Tensor& tensor) : first_(tensor), now_(tensor) {}

  Tensor run(PyObject* key) {
    const bool several = PyTuple_Check(key);
    std::vector<nb::object> items;
    if (several) {
      for (const nb::handle item : nb::borrow<nb::tuple>(key)) items.push_back(nb::borrow(item));
    } else {
      items.push_back(nb::borrow(key));
    }
    std::vector<Tensor> tensors;  // the items of the key as tensors; undefined if the item is no tensor or array
    int64_t named = 0;            // number of dims that the items index
    for (const nb::object& item : items) {
      tensors.push_back(tensor_of(item.ptr()));
      named += dims(item.ptr(), tensors.back());
    }
    if (named > now_.dim()) {
      fail(ErrorKind::InvalidArgument, ErrorFamily::Index, "{}: too many indices for a tensor of {} dims: {}",
           first_.meta(), first_.dim(), named);
    }
    for (size_t i = 0; i < items.size(); ++i) {
      if (items[i].is(nb::ellipsis())) {
        dim_ += first_.dim() - named;
      } else {
        step(items[i].ptr(), tensors[i], several);
      }
    }
    if (!picked_.empty()) {
      const Value args[] = {Value::borrow(now_), Value::borrow(std::span<const Value>(picked_))};
      Values results;
      dispatch_from_python(op_entry<"aten.index.Tensor">(), args, results);
      return results[0].take_tensor();
    }
    return now_.is(first_) ? call_op<"aten.alias.default">(now_) : now_;
  }

 private:
  static Tensor tensor_of(PyObject* item) {
    if (const Tensor* t = tensor_in(item)) return *t;
    return !PyLong_Check(item) && is_array(item) ? tensor_of_array(item) : Tensor();
  }

  static int64_t dims(PyObject* item, const Tensor& tensor) {
    if (tensor) return is_mask(tensor) ? tensor.dim() : 1;
    return item == Py_None || item == Py_Ellipsis || PyBool_Check(item) ? 0 : 1;
  }

  void step(PyObject* item, const Tensor& tensor, bool several) {
    if (tensor) {
      by_tensor(tensor);
    } else if (item == Py_None) {
      now_ = call_op<"aten.unsqueeze.default">(now_, dim_++);
    } else if (PyBool_Check(item)) {
      by_truth(item == Py_True);
    } else if (PySlice_Check(item)) {
      by_slice(item, several);
    } else if (PyIndex_Check(item)) {
      by_int(integer(item));
    } else {
      fail(ErrorKind::InvalidArgument, ErrorFamily::Index,
           "{}: a {} is no index: there are ints, slices, ..., None, bools, tensors and arrays", first_.meta(),
           Py_TYPE(item)->tp_name);
    }
  }

  static int64_t integer(PyObject* item) {
    const Py_ssize_t i = PyNumber_AsSsize_t(item, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred()) throw nb::python_error();
    return i;
  }

  void by_int(int64_t i) { now_ = call_op<"aten.select.int">(now_, dim_, i); }

  void by_slice(PyObject* item, bool several) {
    const auto* const s = reinterpret_cast<PySliceObject*>(item);
    const int64_t start = s->start == Py_None ? 0 : integer(s->start);
    const int64_t stop = s->stop == Py_None ? PY_SSIZE_T_MAX : integer(s->stop);
    const int64_t step = s->step == Py_None ? 1 : integer(s->step);
    if (step <= 0)
      fail(ErrorKind::InvalidArgument, ErrorFamily::Value, "{}: the step of a slice is positive, not {}", first_.meta(),
           step);
    const SymInt size = now_.size(dim_);
    const bool whole = start == 0 && step == 1 && !size.is_symbolic() && size.as_int() <= stop;
    if (!(several && whole)) now_ = call_op<"aten.slice.Tensor">(now_, dim_, start, stop, step);
    ++dim_;
  }

  /// Indexes with a bool: adds a new dim of size 1 (True) or 0 (False).
  void by_truth(bool all) {
    now_ = call_op<"aten.unsqueeze.default">(now_, dim_);
    const SymInt size[] = {all ? 1 : 0};
    pick(call_op<"aten.new_zeros.default">(now_, std::span<const SymInt>(size), DType::I64, Value(), Value(), Value()),
         1);
  }

  void by_tensor(const Tensor& t) {
    if (t.dim() == 0 && is_integral(t.dtype())) {
      const Values value = call_op_all<"aten._local_scalar_dense.default">(t);
      return t.dtype() == DType::Bool ? by_truth(value[0].as_bool()) : by_int(value[0].as_int64());
    }
    pick(t, is_mask(t) ? t.dim() : 1);
  }

  void pick(const Tensor& t, int64_t dims) {
    picked_.resize(static_cast<size_t>(dim_ - folded_));
    picked_.push_back(Value(t));
    dim_ += dims;
    folded_ += dims - 1;
  }

  const Tensor first_;
  Tensor now_;
  int64_t dim_ = 0;
  int64_t folded_ = 0;  ///< sum, over all masks so far, of the mask's rank minus 1
  std::vector<Value> picked_;
};

}  // namespace

nb::object indexed(PyObject* tensor, PyObject* key) {
  return nb::steal(object_of(Indexing(*tensor_in(tensor)).run(key)));
}

}  // namespace ersatz::python
