#include "tools/session/execution_record.h"

#include <filesystem>

#include "runtime/base/log.h"
#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/layout.h"
#include "tools/output/report_output.h"
#include "tools/session/repeat_filter.h"
#include "tracer/program/symbol_values.h"
#include "tracer/records/record_print.h"

namespace ersatz::tools {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kMostWrittenElements = 65536;  // values of a tensor with more elements are not written

/// Returns the line number in `model.py:17 in forward: ...`; empty if there is none.
std::string line_number(std::string_view source) {
  const size_t colon = source.find(':');
  const size_t end = colon == source.npos ? colon : source.find_first_not_of("0123456789", colon + 1);
  return colon == source.npos ? "" : std::string(source.substr(colon + 1, end - colon - 1));
}

/// Returns the call's real arguments. If the run has only fakes, returns the arguments of the first lane.
std::span<const Value> arguments_of(const NodeCall& call) {
  for (const std::span<const Value> lane : call.lanes) {
    bool real = false;
    for_each_tensor(lane, [&](const TensorImpl* t) { real |= !t->fake_mode; });
    if (real) return lane;
  }
  return call.lanes[0];
}

/// Stores the program's recorded results as the expected outcome of the call. Each result gets a storage of its own.
void expect_results(const NodeCall& call, CallRecord& record) {
  const Program& program = call.program();
  const SymbolValues symbols(program);
  int64_t storage = static_cast<int64_t>(record.tensors.size());
  for (const ValueId id : result_values(program, call.node())) {
    RecordedResult& result = record.outcome.results.emplace_back();
    const TensorMeta* meta = id == kNone ? nullptr : program.meta(call.prepared.graph().values[id]);
    const std::optional<TensorMeta> plain = meta ? symbols.concrete(*meta) : std::nullopt;
    if (!plain) continue;
    result.kind = RecordedResult::Kind::Tensor;
    result.tensor.meta = *plain;
    result.tensor.storage = storage++;
    result.tensor.nbytes = storage_bytes_needed(*plain).as_int();
  }
}

}  // namespace

std::string execution_record_file(const std::string& folder, const NodeCall& call, const Error& error) {
  std::string line = line_number(call.source());
  if (line.empty()) line = std::to_string(call.id);
  std::string op(call.op_name());
  for (char& c : op) {
    // The name comes from a file and may be unsafe as a file name.
    if (c == '/' || static_cast<unsigned char>(c) < ' ') c = '_';
  }
  return (fs::path(folder) / "error_recordings" / fmt::format("{}_{}_{}.rec", op, name(error.kind), line)).string();
}

std::string write_execution_record(const std::string& folder, const NodeCall& call, const Error& error) {
  const std::string path = execution_record_file(folder, call, error);
  try {
    if (call.lanes.empty() || !call.step.entry || call.step.entry->tags.has(Tag::HigherOrder)) {
      warn_once(fmt::format("No execution record of {}: it is no call of an operator", call.op_name()));
      return "";
    }
    CallRecord record = record_arguments(*call.step.entry, arguments_of(call), kMostWrittenElements);
    record.id = fmt::format("{}/{}", call.name().empty() ? call.op_name() : call.name(), call.id);
    record.at = call.source();
    expect_results(call, record);
    fs::create_directories(fs::path(path).parent_path());
    if (fs::exists(path)) {
      warn_once(fmt::format("Unable to write execution record {}; file already exists.", path));
      return "";
    }
    write_report(print_call_record(record) + "\n", path);
    return path;
  } catch (const std::exception& e) {  // an error here must not hide the error of the run
    warn_once(fmt::format("Unable to write execution record {}: {}", path, e.what()));
  }
  return "";
}

}  // namespace ersatz::tools
