// Each CUDA kernel in each of its dtypes: on dense tensors, on strided tensors at odd addresses, and into strided
// outputs.
#include <gtest/gtest.h>

#include <functional>
#include <regex>
#include <set>

#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

/// Returns contiguous strides for `sizes`, multiplied by the innermost stride `first`.
std::string strides_of(const std::string& sizes, int64_t first) {
  std::vector<int64_t> n;
  for (size_t at = 0; at < sizes.size();) {
    size_t digits = 0;
    n.push_back(std::stoll(sizes.substr(at), &digits));
    at += digits + 1;
  }
  std::string strides;
  for (size_t d = n.size(); d-- > 0; first *= std::max<int64_t>(n[d], 1))
    strides = std::to_string(first) + (strides.empty() ? "" : ",") + strides;
  return strides;
}

using Layout = std::function<std::string(int operand, const std::string& sizes)>;  ///< makes the text after a dtype

/// Returns the sample's arguments with `dtype` in place of the main dtype, which is that of the first tensor that is no
/// mask, and with other sizes and strides.
std::string rewritten(const std::string& sample, const std::string& dtype, const Layout& layout) {
  static const std::regex kTensor(R"(\b(f16|bf16|f32|f64|c64|c128|bool|u8|i8|i16|i32|i64)\[([0-9,]*)\](\{[0-9,]*\})?)");
  std::string text, main;
  for (std::sregex_iterator t(sample.begin(), sample.end(), kTensor), end; t != end && (main.empty() || main == "bool");
       ++t)
    main = (*t)[1];
  auto begin = sample.cbegin();
  int operand = 0;
  for (std::sregex_iterator t(sample.begin(), sample.end(), kTensor), end; t != end; ++t) {
    text.append(begin, (*t)[0].first);
    text += ((*t)[1] == main ? dtype : (*t)[1].str()) + layout(operand++, (*t)[2]);
    begin = (*t)[0].second;
  }
  text.append(begin, sample.cend());
  return text;
}

std::string dense(int, const std::string& sizes) { return "[" + sizes + "]"; }
/// Returns a layout with every second element of memory, from storage offset 1.
std::string strided(int, const std::string& sizes) {
  return "[" + sizes + "]" + (sizes.empty() ? "" : "{" + strides_of(sizes, 2) + "}+1");
}

/// Returns whether the op may choose, or write last, any of several equal elements. Devices may differ in this choice.
bool chooses_among_equals(const OpEntry& op) {
  for (std::string_view base : {"topk", "kthvalue", "max_unpool2d", "max_unpool3d"}) {
    if (op.base() == base) return true;
  }
  return false;
}

/// Returns the `out=` form of an op with one result, or null.
const OpEntry* out_form(const OpEntry& op) {
  for (const OpEntry* form : registry().all()) {
    const size_t inputs = op.schema.arguments.size();
    if (form->functional == &op && form->schema.arguments.size() == inputs + 1 && form->written.size() == 1 &&
        form->written[0] == inputs)
      return form;
  }
  return nullptr;
}

/// Returns the metadata of the results on a device, or nullopt if the rule refuses the call.
std::optional<std::vector<TensorMeta>> results_on(Device device, const OpEntry& op, const std::string& arguments,
                                                  const Sample& sample) {
  std::vector<TensorMeta> metas;
  try {
    const std::vector<Value> args = arguments_on(device, sample_arguments(op, arguments, sample.low, sample.high));
    if (op.tags.has(Tag::DataDependent)) {
      Values results;
      dispatch(op, args, results);
      for_each_tensor(results, [&](const TensorImpl* t) { metas.push_back(t->meta); });
      return metas;
    }
    RuleResult result;
    run_rule(op, args, result);
    for (const OutputSpec& output : result.outputs) metas.push_back(output.meta);
  } catch (const Error&) {
    return std::nullopt;
  }
  return metas;
}

/// Returns dtype, sizes and strides of a result as text, with strides twice as large as dense ones: `f32[2,3]{6,2}`.
std::string roomy(const TensorMeta& meta) {
  std::string sizes;
  for (const SymInt n : meta.sizes) sizes += (sizes.empty() ? "" : ",") + std::to_string(n.as_int());
  return std::string(name(meta.dtype)) + "[" + sizes + "]" + (sizes.empty() ? "" : "{" + strides_of(sizes, 2) + "}");
}

/// An op with its in-place form and its `out=` form, where it has them.
struct Forms {
  const OpEntry& op;
  const OpEntry *in_place, *into;

  explicit Forms(const OpEntry& o) : op(o), into(out_form(o)) {
    const size_t overload = op.name.rfind('.');
    in_place = registry().find(op.name.substr(0, overload) + "_" + op.name.substr(overload));
  }
  /// Compares the devices for each form, if the rules of both devices accept the call.
  void expect_agree_where_taken(const std::string& arguments, const Sample& sample) const {
    const auto results = results_on(kCPU, op, arguments, sample);
    if (!results || !results_on(cuda(0), op, arguments, sample)) return;
    expect_agree(op.name, arguments, sample.low, sample.high);
    if (in_place && results_on(kCPU, *in_place, arguments, sample) && results_on(cuda(0), *in_place, arguments, sample))
      expect_agree(in_place->name, arguments, sample.low, sample.high);
    if (!into || results->size() != 1) return;
    const std::string named =
        fmt::format("{}, {}={}", arguments, into->schema.arguments.back().name, roomy((*results)[0]));
    if (results_on(cuda(0), *into, named, sample)) expect_agree(into->name, named, sample.low, sample.high);
  }
};

TEST(EveryKernel, AgreesInEachDtypeAndLayout) {
  for (const OpEntry* op : registry().all()) {
    if (op->composite || op->functional || !op->has_kernel(DeviceType::CUDA) || chooses_among_equals(*op)) continue;
    const Forms forms(*op);
    for (const Sample& sample : op->samples) {
      for (int i = 0; i < kDTypeCount; ++i) {
        if (!op->dtypes_on(DeviceType::CUDA).has(DType(i))) continue;
        for (const auto layout : {dense, strided})
          forms.expect_agree_where_taken(rewritten(sample.arguments, std::string(name(DType(i))), layout), sample);
      }
    }
  }
}

/// Sizes and strides of the operands of an elementwise call. Rows are whole packets or not, at aligned and at odd
/// addresses, with gaps. Operands are broadcast along rows or columns.
constexpr const char* kRows[][3] = {
    {"[83]", "[83]", "[83]"},    {"[83]+1", "[83]+3", "[83]"}, {"[3,2,21]{70,30,1}", "[3,2,21]{1,3,6}", "[2,21]{30,1}"},
    {"[3,32]", "[32]", "[3,1]"}, {"[3,1]", "[3,32]", "[32]"},  {"[32]", "[3,1]", "[3,32]"},
    {"[3,21]", "[21]", "[3,1]"}, {"[3,1]", "[3,21]", "[21]"},  {"[21]", "[3,1]", "[3,21]"},
};

TEST(EveryKernel, OfElementsAgreesInRowsOfEachLayout) {
  for (const OpEntry* op : registry().all()) {
    if (!op->tags.has(Tag::Pointwise) || op->composite || op->functional || !op->has_kernel(DeviceType::CUDA)) continue;
    const Forms forms(*op);
    std::set<std::string> calls;
    for (const Sample& sample : op->samples) {
      for (int i = 0; i < kDTypeCount; ++i) {
        if (!op->dtypes_on(DeviceType::CUDA).has(DType(i))) continue;
        for (const auto& row : kRows) {
          const std::string arguments = rewritten(sample.arguments, std::string(name(DType(i))),
                                                  [&](int operand, const std::string&) { return row[operand % 3]; });
          if (calls.insert(arguments).second) forms.expect_agree_where_taken(arguments, sample);
        }
      }
    }
  }
}

}  // namespace
}  // namespace ersatz
