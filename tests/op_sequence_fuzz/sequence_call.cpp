#include "tests/op_sequence_fuzz/sequence_call.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "runtime/op/dispatch.h"

namespace ersatz {
namespace {

[[noreturn]] void refuse(std::string_view line, std::string_view why) {
  fail(ErrorKind::InvalidArgument, ErrorFamily::Value, "no call of a sequence, {}: {}", why, line);
}

template <class T>
T number(std::string_view text, std::string_view line) {
  T result{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc() || end != text.data() + text.size()) refuse(line, fmt::format("'{}' is no number", text));
  return result;
}

constexpr std::string_view kActions[] = {"call", "require", "retain", "clear", "backward", "grad"};
constexpr std::string_view kRegions[] = {"follow", "no_grad", "inference"};

template <class E, size_t n>
E parse_enum(const std::string_view (&names)[n], std::string_view text, std::string_view line) {
  const auto* found = std::find(std::begin(names), std::end(names), text);
  if (found == std::end(names)) refuse(line, fmt::format("there is no {}", text));
  return static_cast<E>(found - std::begin(names));
}

SequenceCall::Swap parse_swap(std::string_view key, std::string_view value, std::string_view line) {
  SequenceCall::Swap swap{number<size_t>(key, line), {}, 0};
  const size_t dot = value.find('.');
  if (dot == std::string_view::npos) {
    swap.number = number<int64_t>(value, line);
  } else {
    swap.tensor = {number<int64_t>(value.substr(0, dot), line), number<size_t>(value.substr(dot + 1), line)};
  }
  return swap;
}

/// Returns the metadata of the tensors that an `out=` op writes. `args` are its other arguments.
std::vector<TensorMeta> out_metas(const OpEntry& op, std::span<const Value> args) {
  std::vector<TensorMeta> metas;
  const auto count = static_cast<size_t>(op.out_arguments);
  try {
    RuleResult result;
    if (op.functional->rule) run_rule(*op.functional, args, result);
    for (const OutputSpec& out : result.outputs) {
      const bool tensor = out.kind != OutputSpec::Kind::Number && out.kind != OutputSpec::Kind::None;
      if (tensor && metas.size() < count) metas.push_back(out.meta);
    }
  } catch (const Error&) {  // the out= form refuses the arguments too
  }
  const SymInt nothing[] = {0};
  metas.resize(count, TensorMeta(DType::F32, nothing));
  return metas;
}

}  // namespace

const std::vector<Sample>& sequence_samples(const OpEntry& op) {
  return op.samples.empty() && op.functional ? op.functional->samples : op.samples;
}

std::vector<Value> SequenceCall::sample_arguments() const {
  if (!op) return {};
  const Sample& s = sequence_samples(*op)[sample];
  if (!op->samples.empty() || op->out_arguments == 0)
    return ersatz::sample_arguments(*op, s.arguments, s.low, s.high, options);
  std::vector<Value> args = ersatz::sample_arguments(*op->functional, s, options);
  for (TensorMeta& meta : out_metas(*op, args)) args.emplace_back(make_sample_tensor(std::move(meta)));
  return args;
}

std::string_view name(SequenceAction action) { return kActions[static_cast<size_t>(action)]; }

std::string to_string(const SequenceCall& call) {
  std::string text = call.op ? fmt::format("{}: {} sample={} layout={} seed={}", call.id, call.op->name, call.sample,
                                           name(call.options.layout), call.options.seed)
                             : fmt::format("{}: {} seed={}", call.id, name(call.action), call.options.seed);
  if (call.region != GradRegion::Follow) text += fmt::format(" region={}", kRegions[static_cast<size_t>(call.region)]);
  if (call.wanted) text += fmt::format(" wanted={}", call.wanted);
  for (const SequenceCall::Swap& s : call.swaps) {
    text += s.tensor ? fmt::format(" {}={}.{}", s.leaf, s.tensor->call, s.tensor->tensor)
                     : fmt::format(" {}={}", s.leaf, s.number);
  }
  return text;
}

SequenceCall parse_sequence_call(std::string_view line) {
  std::istringstream words{std::string(line.substr(0, line.find(" # ")))};
  std::string id, op, word;
  if (!(words >> id >> op) || !id.ends_with(':')) refuse(line, "it begins with no number and op");
  SequenceCall call{
      number<int64_t>(std::string_view(id).substr(0, id.size() - 1), line), registry().find(op), 0, {}, {}};
  if (!call.op) call.action = parse_enum<SequenceAction>(kActions, op, line);
  while (words >> word) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) refuse(line, fmt::format("'{}' is no name and value", word));
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key == "sample") {
      call.sample = number<size_t>(value, line);
    } else if (key == "seed") {
      call.options.seed = number<uint64_t>(value, line);
    } else if (key == "wanted") {
      call.wanted = number<uint64_t>(value, line);
    } else if (key == "region") {
      call.region = parse_enum<GradRegion>(kRegions, value, line);
    } else if (key == "layout") {
      const auto* layout = std::find_if(std::begin(kSampleLayouts), std::end(kSampleLayouts),
                                        [&](SampleLayout l) { return name(l) == value; });
      if (layout == std::end(kSampleLayouts)) refuse(line, fmt::format("there is no layout {}", value));
      call.options.layout = *layout;
    } else {
      call.swaps.push_back(parse_swap(key, value, line));
    }
  }
  if (call.op && call.sample >= sequence_samples(*call.op).size())
    refuse(line, fmt::format("there is no sample {}", call.sample));
  return call;
}

}  // namespace ersatz
