#include "tracer/records/gradient_record.h"

#include <algorithm>
#include <cstdlib>

#include "runtime/base/one_line.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/archive/json_stream.h"
#include "tracer/records/recorded_values.h"

namespace ersatz {

namespace {

bool is_one(const JsonView& v, std::string_view name) {
  const auto member = v.find(std::string(name));
  return member && member->integer() != 0;
}

RecordedFlags read_flags(const JsonView& v) {
  RecordedFlags f;
  f.requires_grad = is_one(v, "rg");
  f.leaf = is_one(v, "leaf");
  f.view = is_one(v, "view");
  f.inference = is_one(v, "inf");
  if (const auto fn = v.find("fn"); fn && !fn->is_null()) f.node = one_line(fn->string());
  return f;
}

void read_result_flags(const JsonView& v, std::vector<RecordedFlags>& to) {
  if (v.is_array()) {
    for (size_t i = 0; i < v.size(); ++i) read_result_flags(v.item(i), to);
  } else {
    to.push_back(v.is_object() && v.find("t") ? read_flags(v) : RecordedFlags());
  }
}

RecordedGradient read_gradient(const JsonView& v) {
  RecordedGradient g;
  if (v.is_string()) {  // `.grad` of a leaf has metadata only
    g.meta = parse_meta(v.string());
    return g;
  }
  const JsonView text = v.at("t");
  g.meta = parse_meta(text.string());
  if (const auto conj = v.find("conj")) g.meta.conj = conj->boolean();
  if (const auto neg = v.find("neg")) g.meta.neg = neg->boolean();
  g.storage = v.at("s").integer();
  const int64_t needed = storage_bytes_needed(g.meta).as_int();
  const auto bytes = v.find("n");
  g.nbytes = bytes ? bytes->integer() : needed;
  if (g.nbytes < needed) text.refuse("its elements need {} bytes, the storage has {}", needed, g.nbytes);
  if (const auto hex = v.find("hex")) {
    g.values = parse_bytes(*hex, g.meta);
    g.has_values = true;
  } else if (const auto values = v.find("v")) {
    g.values = parse_values(*values, g.meta);
    g.has_values = true;
  }
  if (const auto is = v.find("is_gout")) g.is_incoming = static_cast<int>(is->integer());
  g.zero = is_one(v, "zero");
  return g;
}

std::vector<std::optional<RecordedGradient>> read_gradients(const JsonView& v) {
  std::vector<std::optional<RecordedGradient>> list;
  for (size_t i = 0; i < v.size(); ++i) {
    list.emplace_back();
    if (!v.item(i).is_null()) list.back() = read_gradient(v.item(i));
  }
  return list;
}

std::vector<int> read_numbers(const JsonView& v) {
  std::vector<int> list;
  for (size_t i = 0; i < v.size(); ++i) list.push_back(static_cast<int>(v.item(i).integer()));
  return list;
}

}  // namespace

std::optional<RecordedGradients> parse_recorded_gradients(const JsonView& record) {
  const auto leaves = record.find("rg");
  if (!leaves) return std::nullopt;
  RecordedGradients g;
  g.leaves = read_numbers(*leaves);
  if (const auto cloned = record.find("clone")) g.cloned = read_numbers(*cloned);
  if (const auto mode = record.find("mode")) {
    if (mode->string() == "no_grad") {
      g.mode = RecordedGradients::Mode::NoGrad;
    } else if (mode->string() == "inference") {
      g.mode = RecordedGradients::Mode::Inference;
    } else {
      mode->refuse("'{}' is neither no_grad nor inference", mode->string());
    }
  }
  if (const auto error = record.find("err")) {
    g.forward_error = one_line(error->string());
  } else {
    read_result_flags(record.at("out"), g.results);
  }
  if (const auto after = record.find("after")) {
    after->each_member([&](const std::string& key, const JsonView& v) {
      g.after.emplace_back(std::atoi(key.c_str()), read_flags(v));
    });
    std::sort(g.after.begin(), g.after.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  if (const auto incoming = record.find("gout")) g.incoming = read_gradients(*incoming), g.has_backward = true;
  if (const auto of = record.find("grads")) g.gradients = read_gradients(*of);
  if (const auto error = record.find("berr")) g.backward_error = one_line(error->string());
  if (const auto why = record.find("why")) g.why = one_line(why->string());
  if (const auto accumulated = record.find("acc")) {
    if (accumulated->is_object()) {
      if (const auto n = accumulated->find("after")) g.accumulated_before_error = static_cast<int>(n->integer());
    } else {
      for (size_t i = 0; i < accumulated->size(); ++i) g.accumulated.push_back(read_gradients(accumulated->item(i)));
    }
  }
  return g;
}

}  // namespace ersatz
