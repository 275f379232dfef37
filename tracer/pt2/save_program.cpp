#include "tracer/pt2/save_program.h"

#include <array>
#include <map>

#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/archive/json_text.h"
#include "tracer/archive/zip_writer.h"
#include "tracer/pt2/pt2_archive.h"
#include "tracer/pt2/pt2_write_values.h"

namespace ersatz {

namespace pt2_text {

using namespace json_text;

namespace {

/// The rows of the config files, and the files with the bytes that the rows name.
class PayloadLists {
 public:
  struct File {
    std::string path;  ///< path below the root folder
    uint32_t payload;
  };

  explicit PayloadLists(const Program& program) : p_(program), values_(*program.env) {
    for (const GraphInput& in : p_.main().inputs) {
      if (in.stored == kNone) continue;
      const uint32_t payload = p_.weights.tensors()[in.stored].payload;
      folders_[payload].insert(folder_of(in.kind));
      ++uses_[payload];
    }
    for (const GraphInput& in : p_.main().inputs) add(in);
  }

  std::string config(PayloadFolder f) const {
    const List& l = lists_[static_cast<size_t>(f)];
    Members members{{"config", object(l.rows)}};
    if (!l.given.empty()) members.emplace_back("ersatz_given", list(l.given));
    return object(members);
  }
  bool is_empty(PayloadFolder f) const { return lists_[static_cast<size_t>(f)].rows.empty(); }
  const std::vector<File>& files() const { return files_; }

 private:
  struct List {
    Members rows;
    std::vector<std::string> given;
    std::map<uint32_t, std::string> paths;  ///< payload -> path of its file
  };

  void add(const GraphInput& in) {
    const PayloadFolder folder = folder_of(in.kind);
    List& l = lists_[static_cast<size_t>(folder)];
    const GraphValue& v = p_.main().values[in.value];
    const bool by_target = folder != PayloadFolder::Inputs && in.target;
    const std::string_view name = p_.name(by_target ? in.target : v.name);
    if (in.stored == kNone) {
      if (folder != PayloadFolder::Inputs) l.given.push_back(text(name));
      return;
    }
    const StoredTensor& stored = p_.weights.tensors()[in.stored];
    const TensorMeta* const recorded = p_.meta(v);
    if (!recorded) fail_unwritable("'{}' has bytes and is no tensor", name);
    if (folder != PayloadFolder::Inputs && !fits_graph(stored.meta, *recorded)) {
      fail_unwritable("'{}' is stored as {}, and the graph takes {}", name, stored.meta, *recorded);
    }
    std::string row = this->row(in, stored, *recorded, l, folder);
    for (const auto& [other, text_of_other] : l.rows) {
      if (other != name) continue;
      if (text_of_other != row) fail_unwritable("two inputs are called '{}' and hold different bytes", name);
      return;
    }
    l.rows.emplace_back(name, std::move(row));
  }

  std::string row(const GraphInput& in, const StoredTensor& stored, const TensorMeta& recorded, List& l,
                  PayloadFolder folder) {
    const Payload& payload = p_.weights.payloads()[stored.payload];
    const bool made = payload.kind == Payload::Kind::Made;
    const auto [path, fresh] =
        l.paths.try_emplace(stored.payload, fmt::format("{}{}", names_of(folder).file, l.paths.size()));
    if (fresh) files_.push_back({fmt::format("{}{}", names_of(folder).folder, path->second), stored.payload});
    TensorMeta meta = stored.meta;
    meta.device = recorded.device;
    Members members{{"path_name", text(path->second)},
                    {"is_param", boolean(in.kind == InputKind::Parameter)},
                    {"use_pickle", "false"},
                    {"tensor_meta", values_.tensor_meta(meta)}};
    if (folders_[stored.payload].size() > 1 || (made && uses_[stored.payload] > 1)) {
      members.emplace_back("ersatz_storage", std::to_string(stored.payload));
    }
    if (made && payload.nbytes != storage_bytes_needed(stored.meta).as_int()) {
      members.emplace_back("ersatz_bytes", std::to_string(payload.nbytes));
    }
    return object(members);
  }

  const Program& p_;
  ValueWriter values_;
  std::map<uint32_t, std::set<PayloadFolder>> folders_;  ///< for each payload, the folders in which it is needed
  std::map<uint32_t, int> uses_;
  std::array<List, 3> lists_;
  std::vector<File> files_;
};

}  // namespace
}  // namespace pt2_text

namespace {
/// The root folder in the archive. Its name is arbitrary.
constexpr const char* kRoot = "archive";
}  // namespace

void save_program(const std::string& path, const Program& program) {
  const std::string json = print_pt2_json(program);
  const pt2_text::PayloadLists payloads(program);
  std::vector<std::pair<std::string, std::string>> texts{
      {"archive_format", "pt2"}, {"archive_version", "0"},    {"byteorder", "little"},
      {".data/version", "6\n"},  {"models/model.json", json}, {"data/sample_inputs/model.pt", ""}};
  for (const auto folder : {PayloadFolder::Weights, PayloadFolder::Constants, PayloadFolder::Inputs}) {
    // Only ersatz reads this folder, so it is written only if needed.
    if (folder == PayloadFolder::Inputs && payloads.is_empty(folder)) continue;
    const PayloadFolderNames& names = names_of(folder);
    texts.emplace_back(fmt::format("{}model{}", names.folder.substr(1), names.config), payloads.config(folder));
  }
  std::vector<Ref<Storage>> bytes;  // keeps the bytes in memory until the file is written
  ZipWriter zip(path);
  for (const auto& [name, content] : texts)
    zip.add(fmt::format("{}/{}", kRoot, name), std::as_bytes(std::span(content)));
  for (const pt2_text::PayloadLists::File& file : payloads.files()) {
    const bool made = program.weights.payloads()[file.payload].kind == Payload::Kind::Made;
    bytes.push_back(made ? Storage::allocate(0, kCPU) : program.weights.storage(file.payload));
    const Storage& storage = *bytes.back();
    zip.add(fmt::format("{}{}", kRoot, file.path), {storage.data(), static_cast<size_t>(storage.nbytes().as_int())});
  }
  zip.finish();
}

}  // namespace ersatz
