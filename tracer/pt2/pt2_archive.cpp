#include "tracer/pt2/pt2_archive.h"

#include <algorithm>
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

/// Returns NAME from `ROOT/models/NAME.json`.
std::string_view model_name(std::string_view entry) {
  const size_t begin = entry.find('/') + std::string_view("/models/").size();
  return entry.substr(begin, entry.size() - begin - std::string_view(".json").size());
}

/// Returns the entry `ROOT/models/NAME.json` with the graph JSON: of the model `wanted`, or of the only model if
/// `wanted` is empty. All other entries are expected in the folder ROOT.
const ZipArchive::Entry& find_model(const ZipArchive& zip, const std::string& wanted) {
  std::vector<const ZipArchive::Entry*> models;
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
    models.push_back(&e);
  }
  if (models.empty()) fail_argument("{}: a ZIP archive, but no exported program: it has no models/*.json", zip.path());
  const auto is_wanted = [&](const ZipArchive::Entry* e) { return model_name(e->name) == wanted; };
  const auto found = std::find_if(models.begin(), models.end(), is_wanted);
  if (found != models.end()) return **found;
  if (wanted.empty() && models.size() == 1) return *models[0];
  std::string names;
  for (const ZipArchive::Entry* e : models) names += (names.empty() ? "" : ", ") + std::string(model_name(e->name));
  if (wanted.empty()) fail_argument("{}: holds {} programs; --program picks one: {}", zip.path(), models.size(), names);
  fail_argument("{}: no program is called {}; there are {}", zip.path(), wanted, names);
}

void check_byte_order(const ZipArchive& zip, const std::string& root) {
  const auto* entry = zip.find(root + "/byteorder");
  if (!entry) return;
  if (entry->size > 16) fail_argument("{}: {}: is no byte order", zip.path(), entry->name);
  std::string order = zip.read(*entry);
  while (!order.empty() && (order.back() == '\n' || order.back() == ' ')) order.pop_back();
  if (order != "little") fail_argument("{}: {}: byte order '{}' is not read here", zip.path(), entry->name, order);
}

/// RAISES InvalidArgument if there are weights but no config: they cannot be identified, and must not count as missing.
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

}  // namespace

bool fits_graph(const TensorMeta& stored, const TensorMeta& recorded) {
  return stored.dtype == recorded.dtype &&
         std::equal(stored.sizes.begin(), stored.sizes.end(), recorded.sizes.begin(), recorded.sizes.end(),
                    [](SymInt size, SymInt in_graph) { return in_graph.is_symbolic() || in_graph.is_identical(size); });
}

const PayloadFolderNames& names_of(PayloadFolder folder) {
  static constexpr PayloadFolderNames names[] = {{"/data/weights/", "_weights_config.json", "weight_"},
                                                 {"/data/constants/", "_constants_config.json", "tensor_"},
                                                 {"/data/inputs/", "_inputs_config.json", "input_"}};
  return names[static_cast<size_t>(folder)];
}

PayloadFolder folder_of(InputKind kind) {
  switch (kind) {
    case InputKind::Parameter:
    case InputKind::Buffer:
      return PayloadFolder::Weights;
    case InputKind::LooseBuffer:
    case InputKind::TensorConstant:
      return PayloadFolder::Constants;
    default:
      return PayloadFolder::Inputs;
  }
}

namespace {

class WeightBinder {
 public:
  WeightBinder(Program& program, const PayloadConfigs& configs, const PayloadFinder& find, const std::string& file)
      : program_(program), configs_(configs), find_(find), file_(file) {}

  void bind(GraphInput& input) {
    PayloadFolder folder = folder_of(input.kind);
    const std::string_view in_graph = program_.name(program_.main().values[input.value].name);
    const std::string name(input.target ? program_.name(input.target) : in_graph);
    const PayloadConfig* row = find_row(rows(folder), folder == PayloadFolder::Inputs ? in_graph : name);
    if (folder == PayloadFolder::Inputs) {
      if (!row) return;
    } else if (!row) {
      const PayloadFolder other = folder == PayloadFolder::Weights ? PayloadFolder::Constants : PayloadFolder::Weights;
      if ((row = find_row(rows(other), name))) folder = other;
    }
    if (row && row->given) return;

    const TensorMeta* recorded = program_.meta(program_.main().values[input.value]);
    if (!recorded) fail_argument("{}: '{}' is no tensor in the graph", file_, name);
    if (row && folder != PayloadFolder::Inputs && !fits_graph(row->meta, *recorded)) {
      fail_argument("{}: '{}' is {} in the graph and {} in its weights config", file_, name, *recorded, row->meta);
    }
    const bool any_rows = !rows(PayloadFolder::Weights).empty() || !rows(PayloadFolder::Constants).empty();
    if (!row && any_rows) fail_argument("{}: '{}' has no row in the weights config", file_, name);
    StoredTensor tensor{name, kNone, row ? row->meta : *recorded};
    tensor.payload = row ? payload(*row, folder) : program_.weights.add_payload(Payload{});
    try {
      input.stored = program_.weights.add_tensor(std::move(tensor));
    } catch (const Error& e) {
      fail_argument("{}: {}", file_, e.message);
    }
  }

 private:
  const std::vector<PayloadConfig>& rows(PayloadFolder f) const { return configs_[static_cast<size_t>(f)]; }

  /// Returns the payload of a config row. Rows with equal paths or equal storage numbers share one payload. An empty
  /// payload may be shared by any number of tensors without elements.
  uint32_t payload(const PayloadConfig& row, PayloadFolder folder) {
    const std::string key =
        row.storage ? fmt::format("{}", *row.storage) : fmt::format("{}{}", names_of(folder).folder, row.path);
    if (const auto shared = payloads_.find(key); shared != payloads_.end()) return shared->second;
    Payload payload = find_(row, folder);
    const bool needed = row.meta.numel().as_int() > 0 || row.made_bytes > 0;
    const bool absent = payload.kind != Payload::Kind::Made && payload.nbytes == 0 && needed;
    if (absent) payload = {};
    if (payload.kind == Payload::Kind::Made) payload.nbytes = row.made_bytes;
    const uint32_t made = program_.weights.add_payload(std::move(payload));
    if (!absent || row.storage) payloads_.emplace(key, made);
    return made;
  }

  Program& program_;
  const PayloadConfigs& configs_;
  const PayloadFinder& find_;
  const std::string& file_;
  std::unordered_map<std::string, uint32_t> payloads_;
};

}  // namespace

void bind_weights(Program& program, const PayloadConfigs& configs, const PayloadFinder& find, const std::string& file) {
  WeightBinder binder(program, configs, find, file);
  for (GraphInput& input : program.main().inputs) binder.bind(input);
}

Program load_pt2_archive(std::shared_ptr<ZipArchive> archive, uint64_t seed, const std::string& name) {
  const ZipArchive& zip = *archive;
  const auto& model = find_model(zip, name);
  const std::string root = model.name.substr(0, model.name.find('/'));
  const std::string stem(model_name(model.name));
  check_byte_order(zip, root);
  Program program = parse_pt2_json(read_text(zip, model), zip.path() + ": " + model.name);
  if (!program.weights.seed) program.weights.seed = seed;

  PayloadConfigs configs;
  for (const auto folder : {PayloadFolder::Weights, PayloadFolder::Constants, PayloadFolder::Inputs}) {
    const PayloadFolderNames& names = names_of(folder);
    const std::string config = fmt::format("{}{}{}{}", root, names.folder, stem, names.config);
    if (const auto* entry = zip.find(config)) {
      configs[static_cast<size_t>(folder)] =
          parse_payload_config(read_text(zip, *entry), zip.path() + ": " + entry->name);
    } else {
      refuse_unlisted(zip, root + std::string(names.folder), config);
    }
  }
  auto find = [&](const PayloadConfig& row, PayloadFolder folder) {
    const auto* entry = zip.find(fmt::format("{}{}{}", root, names_of(folder).folder, row.path));
    if (!entry) fail_argument("{}: '{}' names a missing entry '{}'", zip.path(), row.name, row.path);
    Payload p;
    p.kind = Payload::Kind::Archive;
    p.nbytes = entry->size;
    p.path = std::filesystem::absolute(zip.path())
                 .lexically_normal()
                 .string();  // the path is absolute, because the text form stores it and reads it later
    p.entry = entry->name;
    p.archive = archive;
    return p;
  };
  bind_weights(program, configs, find, zip.path());
  return program;
}

}  // namespace ersatz
