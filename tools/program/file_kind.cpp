#include "tools/program/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "runtime/base/error.h"
#include "tools/program/pasted_input.h"
#include "tracer/archive/input_file.h"
#include "tracer/archive/zip_archive.h"
#include "tracer/messages/message_kind.h"
#include "tracer/pt2/program_file.h"
#include "tracer/records/call_record.h"
#include "tracer/tensors/npy.h"
#include "tracer/tensors/safetensors.h"

namespace ersatz::tools {

namespace fs = std::filesystem;

namespace {

// This many bytes are enough to recognise a TORCH_TRACE log or a recorded call by its first lines.
constexpr size_t kHeadBytes = size_t(1) << 16;

constexpr const char* kExport =
    "export the model where PyTorch is: torch.export.save(torch.export.export(model, inputs), \"model.pt2\"), then "
    "`ersatz crosscheck model.pt2`";

const std::vector<FileUse> kOfPrograms = {
    {"crosscheck {}", "which operator first differs from a real run, in which field"},
    {"fake {} --device cuda", "metadata, memory and FLOPs of a run on a GPU, without one"},
    {"propagate {}", "where shapes depend on data"},
    {"show {}", "the program as text"},
    {"decompose {} -o core.txt", "the program as core operators"},
};
const std::vector<FileUse> kRecordUses = {
    {"crosscheck {}", "each call made again by ersatz, compared with the recorded result"},
    {"validate {}", "for operators of a torch.library: the recorded fake kernel beside the recorded kernel"},
};
const std::vector<FileUse> kOfPasted = {
    {"crosscheck {}", "which recorded prediction the operators' rules do not keep"},
    {"show {}", "the graphs in it; with --graph LABEL one as text"},
    {"fake {} --device cuda", "metadata, memory and FLOPs of a run on a GPU, without one"},
};
const FileUse kOfCode{"explain {} exception.txt",
                      "with the error text beside it: which buffer of the code failed, and why"};
const FileUse kOfArrays{"propagate model.pt2 --inputs {}", "a program run with these values"};

FileKind program(std::string name) { return {std::move(name), kOfPrograms, ""}; }
FileKind foreign(std::string name, std::string way) { return {std::move(name), {}, std::move(way)}; }

/// Decides the kind of an archive by the names of its entries. PyTorch puts all entries into one folder, whose name is
/// arbitrary.
FileKind kind_of_archive(const std::string& path) {
  std::shared_ptr<ZipArchive> archive;
  try {
    archive = ZipArchive::open(fs::absolute(path).lexically_normal().string());
  } catch (const Error& e) {
    return foreign("a damaged ZIP archive", e.message);
  }
  const auto has = [&](std::string_view end) {
    return std::any_of(archive->entries().begin(), archive->entries().end(), [&](const ZipArchive::Entry& e) {
      return e.name == end || e.name.ends_with(fmt::format("/{}", end));
    });
  };
  const auto ends = [&](std::string_view suffix) {
    return std::any_of(archive->entries().begin(), archive->entries().end(),
                       [&](const ZipArchive::Entry& e) { return e.name.ends_with(suffix); });
  };
  if (has("archive_format")) return program("an exported program (.pt2 archive of torch.export.save)");
  if (has("serialized_exported_program.json")) {
    return foreign("an exported program of PyTorch 2.8 or older, whose weights are Python pickles",
                   "load it there with torch.export.load, and save it with PyTorch 2.9 or newer");
  }
  if (has("constants.pkl") && ends(".py")) return foreign("a TorchScript module (torch.jit.save)", kExport);
  if (has("data.pkl")) {
    return foreign("a file of torch.save (a state_dict or another pickled object), which ersatz does not unpickle",
                   kExport);
  }
  if (ends(".npy")) return {"arrays of NumPy (.npz)", {kOfArrays}, ""};
  if (ends(".dist-info/METADATA")) return foreign("a Python wheel", "install it with pip");
  return foreign("a ZIP archive without a program in it", kExport);
}

/// True for an ONNX ModelProto: it begins with ir_version (field 1, a small number), then producer_name or
/// opset_import.
bool is_onnx(std::string_view head) {
  return head.size() > 4 && head[0] == '\x08' && head[1] > 0 && head[1] < 32 &&
         (head[2] == '\x12' || head[2] == '\x42' || head[2] == '\x3a');
}

/// True if `test` returns true for one of the first lines.
template <class Test>
bool any_line(std::string_view head, const Test& test) {
  while (!head.empty()) {
    const size_t end = std::min(head.find('\n'), head.size());
    if (test(head.substr(0, end))) return true;
    head.remove_prefix(std::min(end + 1, head.size()));
  }
  return false;
}

bool is_graph_line(std::string_view line) {
  return line.starts_with("ExportedProgram:") ||
         (line.find("(torch.nn.Module):") != line.npos && line.find("class ") != line.npos);
}

/// True if the first line of Python code imports PyTorch or ersatz.
bool opens_python(std::string_view head) {
  std::string_view first;
  any_line(head, [&](std::string_view line) {
    const bool counts = line.find_first_not_of(" \r") != line.npos && !line.starts_with('#');
    if (counts) first = line;
    return counts;
  });
  return first.starts_with("import torch") || first.starts_with("from torch") || first.starts_with("import ersatz");
}

const FileUse kOfTraces{"show {}", "symbols, guards, graph breaks and failures that it records"};
const FileUse kOfMessages{"explain {}", "what went wrong, of which operator or line, and what to do next"};

/// Returns the kind of error text in the file. Null for another file, and for a program that only mentions an error.
const MessageKindRow* error_text(const std::string& path, std::string_view head) {
  const MessageKindRow* row = message_kind(head);
  if (!row || row->kind == MessageKind::ExportPassed) return nullptr;
  if (row->kind == MessageKind::GeneratedCode) return row;
  return path.ends_with(".py") || opens_python(head) ? nullptr : row;
}

FileKind kind_of_json(std::string_view head) {
  if (looks_like_call_records(head)) {
    return {"recorded operator calls (JSON lines)", kRecordUses, ""};
  }
  if (head.find("\"graph_module\"") != head.npos) return program("the graph of an exported program (JSON)");
  if (head.find("sarif") != head.npos)
    return foreign("a SARIF report", "a code scanning service or an editor shows it");
  if (head.find("\"command\"") != head.npos && head.find("\"status\"") != head.npos) {
    return foreign("a report of ersatz (JSON)", "the command that wrote it prints it as text without --json");
  }
  return foreign("JSON of another kind", "ersatz reads the graph of an exported program, and recorded calls");
}

FileKind kind_of_text(const std::string& path, std::string_view head) {
  if (const auto text = pasted_text(path)) {
    FileKind kind{text->kind(), kOfPasted, ""};
    const auto generated = [](const pasted::PastedGraph& g) { return g.generated; };
    if (std::all_of(text->graphs().begin(), text->graphs().end(), generated)) kind.uses.push_back(kOfCode);
    return kind;
  }
  if (trace_without_graphs(path)) return {"a TORCH_TRACE log without graphs", {kOfTraces}, ""};
  if (const MessageKindRow* row = error_text(path, head)) return {std::string(row->name), {kOfMessages}, ""};
  if (!path.ends_with(".py") && any_line(head, is_graph_line))
    return foreign("the printed graph of a PyTorch program", kExport);
  if (path.ends_with(".py") || opens_python(head)) {
    return foreign(
        "a Python program",
        fmt::format("the Python package runs it and compares each operator call: `ersatz crosscheck {}`", path));
  }
  const std::string_view first = head.substr(0, 256);
  if (first.find("<html") != first.npos || first.find("<!DOCTYPE html") != first.npos)
    return foreign("a page (HTML)", "a browser shows it");
  return {};
}

FileKind kind_of_folder(const std::string& path) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, failed)) {
    if (entry.path().extension() == ".jsonl") return {"a folder of recorded calls", kRecordUses, ""};
  }
  return foreign("a folder without recorded calls (*.jsonl)", "name a file in it");
}

}  // namespace

FileKind file_kind(const std::string& path) {
  std::error_code failed;
  if (fs::is_directory(path, failed)) return kind_of_folder(path);
  (void)open_input(path);  // raises if the file cannot be read
  const std::string bytes = read_head(path, kHeadBytes);
  const std::string_view head = bytes;
  if (head.empty()) return foreign("an empty file", "nothing reads it");
  if (head.starts_with("\x80") && head.size() > 2 && head[1] >= 2 && head[1] <= 5) {
    return foreign("a Python pickle (torch.save of an old version, or another object), which ersatz does not unpickle",
                   kExport);
  }
  if (head.starts_with("\x7f"
                       "ELF")) {
    return {"a shared library or a program",
            {{"validate --plugin {}", "the rules and kernels of the operators that it adds"}},
            ""};
  }
  if (looks_like_npy(head)) return {"an array of NumPy (.npy)", {kOfArrays}, ""};
  if (head.starts_with("\x1f\x8b")) return foreign("a gzip-compressed file", "unpack it first");
  if (looks_like_safetensors(head, input_size(path).value_or(0)))
    return {"tensors without a program (safetensors)", {kOfArrays}, ""};
  if (is_onnx(head) || path.ends_with(".onnx")) return foreign("an ONNX model", kExport);
  switch (guess_program_format(head)) {
    case ProgramFormat::Archive:
      return kind_of_archive(path);
    case ProgramFormat::GraphJson:
      return kind_of_json(head);
    case ProgramFormat::Text:
      return program("a program in ersatz's text form");
    case ProgramFormat::None:
      break;
  }
  return kind_of_text(path, head);
}

std::optional<FileKind> kind_without_program(const std::string& path) {
  std::error_code ignored;
  if (!is_stream(path) && !fs::is_regular_file(path, ignored)) return std::nullopt;
  if (guess_program_format(read_head(path)) != ProgramFormat::None || pasted_text(path)) return std::nullopt;
  FileKind kind = file_kind(path);
  return kind.uses.empty() ? std::nullopt : std::optional(std::move(kind));
}

Document file_kind_report(const std::string& path, const FileKind& kind) {
  constexpr Document::Kind kBelow = Document::Kind::Below;
  Document text = fmt::format("{}: {}", path, kind.name.empty() ? "not recognised" : kind.name);
  text.data["kind"] = kind.name;
  nlohmann::ordered_json& commands = text.data["commands"] = nlohmann::ordered_json::array();
  if (kind.name.empty()) {
    text.add(kBelow, "ersatz reads .pt2 archives, their graph JSON, its own text form and recorded calls");
    return text;
  }
  size_t width = 0;
  for (const FileUse& use : kind.uses) commands.push_back(fmt::format(fmt::runtime(use.command), path));
  for (const auto& command : commands) width = std::max(width, command.get_ref<const std::string&>().size());
  for (size_t i = 0; i < kind.uses.size(); ++i) {
    const std::string& command = commands[i].get_ref<const std::string&>();
    text.add(kBelow, fmt::format("ersatz {:<{}}  {}", command, width, kind.uses[i].shows));
  }
  if (!kind.way.empty()) text.add(kBelow, fmt::format("no command reads it; {}", kind.way));
  return text;
}

}  // namespace ersatz::tools
