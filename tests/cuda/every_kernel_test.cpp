// Each CUDA kernel in each of its dtypes: on dense tensors, on strided tensors at odd addresses, and into strided
// outputs.
#include <gtest/gtest.h>

#include <regex>

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

/// Returns the sample's arguments with `dtype` in place of the main dtype, which is that of the first tensor that is no
/// mask. Strided tensors have room for two of each element.
std::string rewritten(const std::string& sample, const std::string& dtype, bool strided) {
  static const std::regex kTensor(R"(\b(f16|bf16|f32|f64|c64|c128|bool|u8|i8|i16|i32|i64)\[([0-9,]*)\](\{[0-9,]*\})?)");
  std::string text, main;
  for (std::sregex_iterator t(sample.begin(), sample.end(), kTensor), end; t != end && (main.empty() || main == "bool");
       ++t)
    main = (*t)[1];
  auto begin = sample.cbegin();
  for (std::sregex_iterator t(sample.begin(), sample.end(), kTensor), end; t != end; ++t) {
    text.append(begin, (*t)[0].first);
    text += ((*t)[1] == main ? dtype : (*t)[1].str()) + "[" + (*t)[2].str() + "]";
    if (strided && (*t)[2].length() > 0) text += "{" + strides_of((*t)[2], 2) + "}+1";
    begin = (*t)[0].second;
  }
  text.append(begin, sample.cend());
  return text;
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

/// Returns the results on a device, or nullopt if the rule refuses the call.
std::optional<Values> results_on(Device device, const OpEntry& op, const std::string& arguments, const Sample& sample) {
  try {
    Values results;
    dispatch(op, arguments_on(device, sample_arguments(op, arguments, sample.low, sample.high)), results);
    return results;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Returns dtype, sizes and strides of a result as text, with strides twice as large as dense ones: `f32[2,3]{6,2}`.
/// Empty if the result is no tensor.
std::string roomy(const Value& result) {
  if (!result.is_tensor()) return "";
  const TensorMeta& meta = result.tensor().meta();
  std::string sizes;
  for (const SymInt n : meta.sizes) sizes += (sizes.empty() ? "" : ",") + std::to_string(n.as_int());
  return std::string(name(meta.dtype)) + "[" + sizes + "]" + (sizes.empty() ? "" : "{" + strides_of(sizes, 2) + "}");
}

/// Compares the devices for the op and its in-place and `out=` forms, if the rules of both devices accept the call.
void expect_agree_where_taken(const OpEntry& op, const OpEntry* in_place, const OpEntry* into,
                              const std::string& arguments, const Sample& sample) {
  const std::optional<Values> cpu = results_on(kCPU, op, arguments, sample);
  if (!cpu || !results_on(cuda(0), op, arguments, sample)) return;
  expect_agree(op.name, arguments, sample.low, sample.high);
  if (in_place && results_on(kCPU, *in_place, arguments, sample) && results_on(cuda(0), *in_place, arguments, sample))
    expect_agree(in_place->name, arguments, sample.low, sample.high);
  const std::string out = into && cpu->size() == 1 ? roomy((*cpu)[0]) : "";
  if (out.empty()) return;
  const std::string named = fmt::format("{}, {}={}", arguments, into->schema.arguments.back().name, out);
  if (results_on(cuda(0), *into, named, sample)) expect_agree(into->name, named, sample.low, sample.high);
}

TEST(EveryKernel, AgreesInEachDtypeAndLayout) {
  for (const OpEntry* op : registry().all()) {
    if (op->composite || op->functional || !op->has_kernel(DeviceType::CUDA) || chooses_among_equals(*op)) continue;
    const size_t overload = op->name.rfind('.');
    const OpEntry* const in_place = registry().find(op->name.substr(0, overload) + "_" + op->name.substr(overload));
    const OpEntry* const into = out_form(*op);
    for (const Sample& sample : op->samples) {
      for (int i = 0; i < kDTypeCount; ++i) {
        if (!op->dtypes_on(DeviceType::CUDA).has(DType(i))) continue;
        for (const bool strided : {false, true})
          expect_agree_where_taken(*op, in_place, into,
                                   rewritten(sample.arguments, std::string(name(DType(i))), strided), sample);
      }
    }
  }
}

}  // namespace
}  // namespace ersatz
