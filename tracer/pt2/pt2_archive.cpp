#include "tracer/pt2/pt2_archive.h"

#include <filesystem>

#include "runtime/base/error.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/archive/zip_archive.h"

namespace ersatz {

namespace {

constexpr int64_t kMaxJsonBytes = int64_t(4) << 30;

std::string read_text(const ZipArchive& zip, const ZipArchive::Entry& entry) {
  if (entry.size > kMaxJsonBytes) fail_argument("{}: {}: {} bytes are too many", zip.path(), entry.name, entry.size);
  return zip.read(entry);
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// The graph JSON's entry, `ROOT/models/NAME.json`. Its root is what everything else is looked up under.
const ZipArchive::Entry& find_model(const ZipArchive& zip) {
  const ZipArchive::Entry* model = nullptr;
  for (const auto& e : zip.entries()) {
    const size_t slash = e.name.find('/');
    if (e.name == "serialized_exported_program.json" ||
        (slash != e.name.npos && ends_with(e.name, ".pt") && e.name.find("/data/weights/") == slash)) {
      fail_argument(
          "{}: an archive of torch 2.8 or older, whose weights are Python pickles: save it again with 2.9 "
          "or later",
          zip.path());
    }
    if (slash == e.name.npos || e.name.compare(slash, 8, "/models/") != 0 || !ends_with(e.name, ".json")) continue;
    if (e.name.find('/', slash + 8) != e.name.npos) continue;
    if (model) fail_argument("{}: holds two models, '{}' and '{}'", zip.path(), model->name, e.name);
    model = &e;
  }
  if (!model) fail_argument("{}: a ZIP archive, but no exported program: it has no models/*.json", zip.path());
  return *model;
}

void check_byte_order(const ZipArchive& zip, const std::string& root) {
  const auto* entry = zip.find(root + "/byteorder");
  if (!entry) return;
  if (entry->size > 16) fail_argument("{}: {}: is no byte order", zip.path(), entry->name);
  std::string order = zip.read(*entry);
  while (!order.empty() && (order.back() == '\n' || order.back() == ' ')) order.pop_back();
  if (order != "little") fail_argument("{}: {}: byte order '{}' is not read here", zip.path(), entry->name, order);
}

/// Weights that nothing lists cannot be told apart, and must not be taken for absent ones.
void refuse_unlisted(const ZipArchive& zip, std::string_view folder, std::string_view config) {
  for (const auto& e : zip.entries()) {
    if (!e.name.starts_with(folder)) continue;
    fail_argument("{}: holds '{}', but no '{}' that says what it is", zip.path(), e.name, config);
  }
}

const PayloadConfig* find_row(const std::vector<PayloadConfig>& rows, std::string_view name) {
  for (const auto& r : rows) {
    if (r.name == name) return &r;
  }
  return nullptr;
}

bool same_sizes(const TensorMeta& a, const TensorMeta& b) {
  return a.dtype == b.dtype && a.sizes.size() == b.sizes.size() && sym_eq(a.sizes, b.sizes);
}

}  // namespace

void bind_weights(Program& program, const std::vector<PayloadConfig>& weights,
                  const std::vector<PayloadConfig>& constants, const PayloadFinder& find, const std::string& file) {
  const bool any_rows = !weights.empty() || !constants.empty();
  std::unordered_map<std::string, uint32_t> payloads;  // by kind of config and path: names of one path share
  for (GraphInput& input : program.main().inputs) {
    const bool loose = input.kind == InputKind::LooseBuffer || input.kind == InputKind::TensorConstant;
    if (!loose && input.kind != InputKind::Parameter && input.kind != InputKind::Buffer) continue;
    const TensorMeta* recorded = program.meta(program.main().values[input.value]);
    const std::string name(program.name(input.target));
    if (!recorded) fail_argument("{}: '{}' is no tensor in the graph", file, name);

    StoredTensor tensor{name, kNone, *recorded};
    bool in_constants = loose;
    const PayloadConfig* row = find_row(loose ? constants : weights, name);
    if (!row && (row = find_row(loose ? weights : constants, name))) in_constants = !loose;
    if (row) {
      if (!same_sizes(row->meta, *recorded)) {
        fail_argument("{}: '{}' is {} in the graph and {} in its weights config", file, name, *recorded, row->meta);
      }
      tensor.meta = row->meta;
      const std::string key = (in_constants ? "c/" : "w/") + row->path;
      Payload payload = find(*row, in_constants);
      // An empty payload stands for any number of unrelated tensors without data; others are shared by path.
      const bool absent =
          payload.kind != Payload::Kind::Made && payload.nbytes == 0 && tensor.meta.numel().as_int() > 0;
      auto shared = payloads.find(key);
      if (absent) {
        tensor.payload = program.weights.add_payload(Payload{});
      } else if (shared != payloads.end()) {
        tensor.payload = shared->second;
      } else {
        tensor.payload = program.weights.add_payload(std::move(payload));
        payloads.emplace(key, tensor.payload);
      }
    } else if (any_rows) {
      fail_argument("{}: '{}' has no row in the weights config", file, name);
    } else {
      tensor.payload = program.weights.add_payload(Payload{});
    }
    try {
      input.stored = program.weights.add_tensor(std::move(tensor));
    } catch (const Error& e) {
      fail_argument("{}: {}", file, e.message);
    }
  }
}

Program load_pt2_archive(std::shared_ptr<ZipArchive> archive, uint64_t seed) {
  const ZipArchive& zip = *archive;
  const auto& model = find_model(zip);
  const std::string root = model.name.substr(0, model.name.find('/'));
  const std::string stem = model.name.substr(root.size() + 8, model.name.size() - root.size() - 8 - 5);
  check_byte_order(zip, root);
  Program program = parse_pt2_json(read_text(zip, model), zip.path() + ": " + model.name);
  program.weights.seed = seed;

  auto config = [&](const std::string& folder, const std::string& suffix) {
    const std::string name = root + folder + stem + suffix;
    if (const auto* entry = zip.find(name)) {
      return parse_payload_config(read_text(zip, *entry), zip.path() + ": " + entry->name);
    }
    refuse_unlisted(zip, root + folder, name);
    return std::vector<PayloadConfig>();
  };
  const auto weights = config("/data/weights/", "_weights_config.json");
  const auto constants = config("/data/constants/", "_constants_config.json");
  auto find = [&](const PayloadConfig& row, bool in_constants) {
    const auto* entry = zip.find(root + (in_constants ? "/data/constants/" : "/data/weights/") + row.path);
    if (!entry) fail_argument("{}: '{}' names a missing entry '{}'", zip.path(), row.name, row.path);
    Payload p;
    p.kind = Payload::Kind::Archive;
    p.nbytes = entry->size;
    p.path = std::filesystem::absolute(zip.path()).lexically_normal().string();  // as the text form reads it back
    p.entry = entry->name;
    p.archive = archive;
    return p;
  };
  bind_weights(program, weights, constants, find, zip.path());
  return program;
}

}  // namespace ersatz
