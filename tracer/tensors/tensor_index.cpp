#include "tracer/tensors/tensor_index.h"

#include <unordered_set>

#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/archive/json_stream.h"

namespace ersatz {

namespace {

constexpr std::string_view kFormat = "ersatz tensors";
constexpr int64_t kVersion = 1;
constexpr int64_t kMostBytes = int64_t(1) << 61;  // so that products with sizes stay within 64 bits

Device parse_place(const JsonView& v) {
  const std::optional<Device> device = parse_device(v.string());
  if (!device || device->index < 0) v.refuse("'{}' is no device with its index", v.string());
  return *device;
}

SavedStorage parse_storage(const JsonView& v) {
  SavedStorage s;
  s.device = parse_place(v.at("device"));
  s.nbytes = v.at("bytes").integer();
  if (s.nbytes < 0 || s.nbytes > kMostBytes) v.at("bytes").refuse("{} bytes are no size of a storage", s.nbytes);
  if (const auto data = v.find("data")) {
    s.data = data->string();
    if (s.data.empty()) data->refuse("an entry has a name");
  }
  return s;
}

SavedTensor parse_tensor(const JsonView& v, const std::vector<SavedStorage>& storages) {
  SavedTensor t;
  const JsonView names = v.at("names"), meta = v.at("meta"), storage = v.at("storage");
  for (size_t i = 0; i < names.size(); ++i) t.names.emplace_back(names.item(i).string());
  if (t.names.empty()) names.refuse("a tensor has a name");
  t.parameter = v.at("parameter").boolean();

  const int64_t number = storage.integer();
  if (number < 0 || number >= std::ssize(storages)) {
    storage.refuse("there is no storage {} among {}", number, storages.size());
  }
  t.storage = static_cast<size_t>(number);
  const SavedStorage& on = storages[t.storage];
  int64_t needed = 0;
  try {
    t.meta = parse_meta(meta.string());
    needed = storage_bytes_needed(t.meta).as_int();
  } catch (const Error& e) {
    meta.refuse("{}", e.message);
  }
  if (t.meta.device != on.device) {
    meta.refuse("{} is on another device than storage {} ({})", t.meta, number, to_string(on.device));
  }
  if (needed > on.nbytes) {
    meta.refuse("{} needs {} bytes, storage {} has {}", t.meta, needed, number, on.nbytes);
  }
  return t;
}

}  // namespace

std::string print_tensor_index(const TensorIndex& index) {
  Json storages = Json::array(), tensors = Json::array();
  for (const SavedStorage& s : index.storages) {
    storages.push_back(
        {{"device", to_string(s.device)}, {"bytes", s.nbytes}, {"data", s.data.empty() ? Json() : Json(s.data)}});
  }
  for (const SavedTensor& t : index.tensors) {
    tensors.push_back(
        {{"names", t.names}, {"meta", to_string(t.meta)}, {"storage", t.storage}, {"parameter", t.parameter}});
  }
  const Json root = {{"format", kFormat}, {"version", kVersion}, {"storages", storages}, {"tensors", tensors}};
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

TensorIndex parse_tensor_index(std::string_view text, const std::string& file) {
  const Json root = JsonStream(file).parse(text);
  const JsonView::Tree tree{file, "", &root};
  const JsonView top(tree);
  if (const JsonView format = top.at("format"); format.string() != kFormat) {
    format.refuse("'{}' is no tensor archive", format.string());
  }
  if (const JsonView version = top.at("version"); version.integer() != kVersion) {
    version.refuse("version {} is not read here, only {}", version.integer(), kVersion);
  }
  TensorIndex index;
  const JsonView storages = top.at("storages"), tensors = top.at("tensors");
  for (size_t i = 0; i < storages.size(); ++i) index.storages.push_back(parse_storage(storages.item(i)));
  std::unordered_set<std::string> names;
  for (size_t i = 0; i < tensors.size(); ++i) {
    index.tensors.push_back(parse_tensor(tensors.item(i), index.storages));
    for (const std::string& name : index.tensors.back().names) {
      if (!names.insert(name).second) tensors.item(i).refuse("two tensors are named '{}'", name);
    }
  }
  return index;
}

}  // namespace ersatz
