#include "tracer/pt2/inputs_outputs.h"

#include <cstring>
#include <filesystem>

#include "runtime/base/error.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/archive/json_stream.h"
#include "tracer/pt2/program_file.h"

namespace ersatz {

namespace {

bool flag(const JsonView& row, std::string_view key) {
  const auto found = row.find(key);
  return found && found->boolean();
}

StoredValue read_row(const JsonView& row, int64_t file_bytes) {
  StoredValue v;
  v.name = row.at("name").string();
  v.random = flag(row, "random");
  v.gaps = flag(row, "gaps");
  v.ties = flag(row, "ties");
  if (const auto d = row.find("graph_max_abs_diff")) v.graph_difference = d->number();
  if (const auto number = row.find("value")) {
    if (number->json().is_boolean()) {
      v.number = Value(number->boolean());
    } else if (number->json().is_number_integer()) {
      v.number = Value(number->integer());
    } else {
      v.number = Value(number->number());
    }
    return v;
  }
  const JsonView meta = row.at("meta");
  try {
    v.meta = parse_meta(meta.string());
  } catch (const Error& e) {
    meta.refuse("{}", e.message);
  }
  v.offset = row.at("offset").integer();
  v.bytes = row.at("bytes").integer();
  const int64_t needed = v.meta->numel().as_int() * item_size(v.meta->dtype);
  if (v.bytes != needed) row.refuse("{} bytes for {}, which has {}", v.bytes, *v.meta, needed);
  if (v.offset < 0 || v.offset > file_bytes || v.bytes > file_bytes - v.offset) {
    row.refuse("bytes [{}, +{}) leave the values file of {} bytes", v.offset, v.bytes, file_bytes);
  }
  v.meta->device = kCPU;
  return v;
}

std::vector<StoredValue> read_rows(const JsonView& top, std::string_view key, int64_t file_bytes) {
  std::vector<StoredValue> rows;
  const auto list = top.find(key);
  if (!list) return rows;
  for (size_t i = 0; i < list->size(); ++i) rows.push_back(read_row(list->item(i), file_bytes));
  return rows;
}

}  // namespace

InputsOutputs InputsOutputs::load(const std::string& path) {
  const std::string text = read_file(path);
  const Json json = JsonStream(path).parse(text);
  const JsonView::Tree tree{path, "", &json};
  const JsonView file = JsonView(tree).at("file");
  if (file.string().find_first_of("/\\") != file.string().npos) file.refuse("is no plain file name");
  const auto values = std::filesystem::path(path).parent_path() / std::string(file.string());
  return parse(text, read_file(values.string()), path);
}

InputsOutputs InputsOutputs::parse(std::string_view text, std::string values, const std::string& file) {
  const Json json = JsonStream(file).parse(text);
  const JsonView::Tree tree{file, "", &json};
  const JsonView top(tree);
  if (const auto order = top.find("order"); order && order->string() != "row-major little-endian") {
    order->refuse("'{}' is not read here", order->string());
  }
  InputsOutputs io;
  const int64_t bytes = static_cast<int64_t>(values.size());
  top.at("inputs").size();
  io.inputs = read_rows(top, "inputs", bytes);
  io.outputs = read_rows(top, "outputs", bytes);
  io.buffers_after = read_rows(top, "buffers_after", bytes);
  io.inputs_after = read_rows(top, "inputs_after", bytes);
  io.values_ = std::move(values);
  return io;
}

void InputsOutputs::add_input(std::string name, Value value) {
  StoredValue& row = inputs.emplace_back();
  row.name = std::move(name);
  if (value.is_tensor()) {
    row.tensor = value.tensor();
    row.meta = row.tensor.meta();
  } else {
    row.number = std::move(value);
  }
}

Value InputsOutputs::value(const StoredValue& stored) const {
  if (!stored.meta) return *stored.number;
  if (stored.tensor) return Value(stored.tensor);
  Tensor t = make_real_tensor(*stored.meta);
  const size_t item = static_cast<size_t>(item_size(stored.meta->dtype));
  const int64_t count = t.numel().as_int();
  if (count == 0) return t;
  std::memset(t.storage()->data(), 0, static_cast<size_t>(t.storage()->nbytes().as_int()));
  const auto sizes = as_ints(t.sizes());
  const auto strides = as_ints(t.strides());
  const char* from = values_.data() + stored.offset;
  std::byte* to = t.raw_data();
  InlineVec<int64_t, 8> at(sizes.size(), 0);
  int64_t offset = 0;
  for (int64_t i = 0; i < count; ++i, from += item) {
    std::memcpy(to + offset * static_cast<int64_t>(item), from, item);
    for (size_t d = sizes.size(); d-- > 0;) {
      offset += strides[d];
      if (++at[d] < sizes[d]) break;
      offset -= strides[d] * sizes[d];
      at[d] = 0;
    }
  }
  return t;
}

const StoredValue* InputsOutputs::find(const std::vector<StoredValue>& rows, std::string_view name) {
  for (const StoredValue& r : rows) {
    if (r.name == name) return &r;
  }
  return nullptr;
}

}  // namespace ersatz
