#include "tools/validate/record_snippet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "runtime/op/copy.h"
#include "tools/infer/prediction_cause.h"
#include "tracer/text/python_literal.h"

namespace ersatz::tools {

namespace {

struct CannotSayCall {};

class CallSnippet {
 public:
  explicit CallSnippet(const CallRecord& record) : record_(record), schema_(record) {}

  std::string text() {
    std::string out = "import torch  # and the module that defines the op\n";
    for (size_t k = 0; k < record_.tensors.size(); ++k) out += tensor_line(k);
    std::string call;
    for (const RecordedArgument& a : record_.args) call += (call.empty() ? "" : ", ") + argument(a);
    const std::string op = python_callee(record_.op);
    std::string fakes, names;
    for (size_t k = 0; k < record_.tensors.size(); ++k) {
      if (record_.tensors[k].is >= 0) continue;
      names += (names.empty() ? "" : ", ") + name(k);
      fakes += (fakes.empty() ? "" : ", ") + fmt::format("fakes.from_tensor({})", name(k));
    }
    out += fmt::format("def both({}): return {}({})\n", names, op, call);
    out += fmt::format("with torch._subclasses.FakeTensorMode() as fakes: fake = both({})\n", fakes);
    out += fmt::format(
        "for out in torch.utils._pytree.tree_leaves((fake, both({}))): print(out.dtype, tuple(out.shape), "
        "out.stride(), out.storage_offset())\n",
        names);
    return out;
  }

 private:
  std::string name(size_t k) const {
    const RecordedTensor& t = record_.tensors[k];
    if (t.is >= 0) return name(static_cast<size_t>(t.is));
    const std::string x = schema_.name(k);
    const bool plain = std::all_of(x.begin(), x.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    return plain ? python_identifier(x) : fmt::format("t{}", k);
  }

  std::string tensor_line(size_t k) {
    const RecordedTensor& t = record_.tensors[k];
    if (t.is >= 0) return {};
    if (t.meta.conj || t.meta.neg || !t.meta.device.is_cpu()) throw CannotSayCall();
    const std::string dtype = python_dtype(t.meta.dtype);
    const int64_t n = std::max<int64_t>(t.nbytes / item_size(t.meta.dtype), 1);
    const std::string view = fmt::format(".as_strided({}, {}, {})", python_tuple(t.meta.sizes),
                                         python_tuple(t.meta.strides), t.meta.offset.as_int());
    for (size_t before = 0; before < k; ++before) {
      if (record_.tensors[before].storage != t.storage) continue;
      if (record_.tensors[before].meta.dtype != t.meta.dtype) throw CannotSayCall();
      return fmt::format("{} = {}{}\n", name(k), name(before), view);
    }
    return fmt::format("{} = torch.{}({}, dtype={}){}{}\n", name(k), is_all(t, 1) ? "ones" : "zeros", n, dtype, view,
                       values(t));
  }

  /// True if every element is `value`. If no elements were recorded, they count as 0.
  static bool is_all(const RecordedTensor& t, int value) {
    if (!t.has_values || t.values.empty()) return value == 0;
    const std::vector<double> v = numbers(t);
    return std::all_of(v.begin(), v.end(), [&](double d) { return d == value; });
  }

  static std::vector<double> numbers(const RecordedTensor& t) {
    if (is_complex(t.meta.dtype)) throw CannotSayCall();
    const Tensor rows = make_real_tensor(TensorMeta(t.meta.dtype, t.meta.sizes));
    std::memcpy(rows.raw_data(), t.values.data(), t.values.size());
    const Tensor wide = make_real_tensor(TensorMeta(DType::F64, t.meta.sizes));
    copy_elements(wide, rows);
    return {wide.data<double>(), wide.data<double>() + wide.numel().as_int()};
  }

  static std::string values(const RecordedTensor& t) {
    if (is_all(t, 0) || is_all(t, 1)) return {};
    for (size_t d = 0; d < t.meta.sizes.size(); ++d) {
      if (t.meta.strides[d].as_int() == 0 && t.meta.sizes[d].as_int() > 1) throw CannotSayCall();
    }
    std::vector<std::string> items;
    for (const double d : numbers(t)) {
      if (!std::isfinite(d)) throw CannotSayCall();
      items.push_back(fmt::format("{:.9g}", d));
    }
    return fmt::format(".copy_(torch.tensor([{}]).reshape({}))", fmt::join(items, ", "), python_tuple(t.meta.sizes));
  }

  std::string argument(const RecordedArgument& a) const {
    std::string text;
    if (a.kind == RecordedArgument::Kind::Tensor) {
      text = name(static_cast<size_t>(a.tensor));
    } else if (a.kind == RecordedArgument::Kind::Literal) {
      text = python_literal(a.literal);
    } else {
      for (const RecordedArgument& item : a.items) text += (text.empty() ? "" : ", ") + argument(item);
      text = a.is_dict ? "dict(" + text + ")" : "[" + text + "]";
    }
    return a.name.empty() ? text : a.name + "=" + text;
  }

  const CallRecord& record_;
  const RecordedSchema schema_;
};

}  // namespace

std::string record_snippet(const CallRecord& record) {
  try {
    return record.unusable.empty() ? CallSnippet(record).text() : "";
  } catch (const CannotSayCall&) {
    return "";
  } catch (const Error&) {
    return "";
  }
}

}  // namespace ersatz::tools
