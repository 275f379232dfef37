#include "kernels/collective/collective.h"

#include <algorithm>

#include "kernels/shape/output_meta.h"
#include "runtime/base/process_group.h"
#include "runtime/op/argument_tag.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_collective {
namespace {

/// Returns the position of the argument `group_name`.
template <class Call>
Position group_argument(const Call& call) {
  const FunctionSchema& schema = call.op.schema;
  return static_cast<size_t>(schema.find_argument("group_name"));
}

template <class Call>
const ProcessGroup* known_group(const Call& call) {
  if (!call.context.groups) return nullptr;
  const Value& name = call[group_argument(call)];
  return call.context.groups->find(name.kind() == Value::Kind::String ? std::string(name.as_string())
                                                                      : to_string(name));
}

/// Returns the group of the call, or null if no groups are known. Raises C1 for a name that is not known.
const ProcessGroup* group_of(const RuleCall& call) {
  const ProcessGroup* group = known_group(call);
  call.require(group || !call.context.groups, "C1", "there is no group {}", to_string(call[group_argument(call)]));
  return group;
}

bool is_gloo(const ProcessGroup* group) { return group && group->backend == "gloo"; }

/// How an operator passes complex numbers to the backend: as pairs of reals, or unchanged.
enum class Complex : uint8_t { AsReals, AsTheyAre };

/// Raises C6 if the backend is gloo and does not support the dtype.
void require_gloo_dtype(const RuleCall& call, const ProcessGroup* group, const TensorMeta& t, Complex complex) {
  if (!is_gloo(group)) return;
  constexpr DTypeSet taken = kBool | kFloats | DTypeSet{DType::U8, DType::I8, DType::I32, DType::I64};
  const DType dtype = complex == Complex::AsReals ? real_dtype(t.dtype) : t.dtype;
  call.require(taken.has(dtype), "C6", "gloo does not send {}: the tensor is {}", name(t.dtype), t);
}

void require_reduction(const RuleCall& call, const ProcessGroup* group, const Value& reduction, const TensorMeta& t) {
  constexpr std::string_view known[] = {"sum", "avg", "product", "min", "max", "band", "bor", "bxor"};
  const std::string_view op = reduction.as_string();
  call.require(std::find(std::begin(known), std::end(known), op) != std::end(known), "C2", "there is no reduction '{}'",
               op);
  call.require(!is_complex(t.dtype) || op == "sum" || op == "avg", "C2",
               "complex numbers are reduced by sum or avg: {}", op);
  const bool of_bits = op[0] == 'b';
  call.require(!is_gloo(group) || !of_bits || is_integral(t.dtype), "C6", "gloo has no {} of {}", op, name(t.dtype));
}

SymInt require_group_size(const RuleCall& call, const ProcessGroup* group) {
  const SymInt size = call.sym(static_cast<size_t>(call.op.schema.find_argument("group_size")));
  call.require(!group || check_eq(size, group->size), "C3", "group_size must be {}, that of the group: it is {}",
               group ? group->size : 0, size);
  call.require(check_gt(size, 0), "C3", "group_size must be above 0: it is {}", size);
  return size;
}

void answer(RuleCall& call, const TensorMeta& like, DimVec sizes) {
  TensorMeta& out = call.out.fresh();
  out.dtype = like.dtype;
  out.device = like.device;
  out.sizes = std::move(sizes);
  out.strides = contiguous_strides(out.sizes);
}

/// Returns the input's sizes with dim 0 multiplied by the group's size. A 0-d tensor counts as a vector of size 1.
/// Raises C4 for a 0-d tensor if the backend is gloo or the dtype is complex.
DimVec gathered(const RuleCall& call, const ProcessGroup* group, const TensorMeta& input, SymInt size) {
  call.require(input.dim() > 0 || (!is_gloo(group) && !is_complex(input.dtype)), "C4", "expects a dim: the input is {}",
               input);
  DimVec sizes = input.sizes;
  if (sizes.empty()) sizes.push_back(1);
  sizes[0] = sizes[0] * size;
  return sizes;
}

DimVec scattered(const RuleCall& call, const TensorMeta& input, SymInt size) {
  DimVec sizes = input.sizes;
  call.require(!sizes.empty() && check_eq(floor_div(sizes[0], size) * size, sizes[0]), "C4",
               "dim 0 must be divided by the group's size, {}: the input is {}", size, input);
  sizes[0] = floor_div(sizes[0], size);
  return sizes;
}

void require_out(RuleCall& call, const DimVec& sizes) {
  const Position out = call.args.size() - 1;
  SymInt count = 1;
  for (SymInt s : sizes) count = count * s;
  call.require(check_eq(call.meta(out).numel(), count), "C7", "out must have {} elements: it is {}", count,
               call.meta(out));
  call.out.same(call.tensor(out));
}

enum class Where : uint8_t { Fresh, InPlace };

template <Where where>
void answer_one(RuleCall& call, TensorImpl* input) {
  where == Where::InPlace ? call.out.same(input) : answer(call, input->meta, input->meta.sizes);
}

template <Where where>
void all_reduce(RuleCall& call) {
  const ProcessGroup* group = group_of(call);
  const TensorMeta& input = call.meta(kAllReduce["input"]);
  require_reduction(call, group, call[kAllReduce["reduce_op"]], input);
  require_gloo_dtype(call, group, input, Complex::AsReals);
  answer_one<where>(call, call.tensor(kAllReduce["input"]));
}

std::span<const Value> inputs_of(const RuleCall& call, Position i) {
  const std::span<const Value> inputs = call.list(i);
  if (inputs.empty()) call.refuse(ErrorFamily::NotImplemented, "C5", "an empty list has no device{}", "");
  return inputs;
}

template <Where where>
void all_reduce_coalesced(RuleCall& call) {
  const ProcessGroup* group = group_of(call);
  for (const Value& v : inputs_of(call, kAllReduceCoalesced["inputs"])) {
    require_reduction(call, group, call[kAllReduceCoalesced["reduce_op"]], v.tensor_impl()->meta);
    require_gloo_dtype(call, group, v.tensor_impl()->meta, Complex::AsReals);
    answer_one<where>(call, v.tensor_impl());
  }
}

void all_gather(RuleCall& call) {
  const ProcessGroup* group = group_of(call);
  const TensorMeta& input = call.meta(kAllGather["input"]);
  const DimVec sizes = gathered(call, group, input, require_group_size(call, group));
  require_gloo_dtype(call, group, input, Complex::AsReals);
  answer(call, input, sizes);
}
void all_gather_out(RuleCall& call) {
  const ProcessGroup* group = group_of(call);
  const TensorMeta& input = call.meta(kAllGatherOut["input"]);
  const DimVec sizes = gathered(call, group, input, require_group_size(call, group));
  require_gloo_dtype(call, group, input, Complex::AsTheyAre);
  require_out(call, sizes);
}
void all_gather_coalesced(RuleCall& call) {
  const ProcessGroup* group = group_of(call);
  const SymInt size = require_group_size(call, group);
  for (const Value& v : inputs_of(call, kAllGatherCoalesced["inputs"])) {
    const TensorMeta& input = v.tensor_impl()->meta;
    require_gloo_dtype(call, group, input, Complex::AsTheyAre);
    answer(call, input, gathered(call, group, input, size));
  }
}

DimVec reduced_part(const RuleCall& call, const ProcessGroup* group, const TensorMeta& input, const Value& reduction) {
  require_reduction(call, group, reduction, input);
  const DimVec sizes = scattered(call, input, require_group_size(call, group));
  require_gloo_dtype(call, group, input, Complex::AsReals);
  return sizes;
}
void reduce_scatter(RuleCall& call) {
  const TensorMeta& input = call.meta(kReduceScatter["input"]);
  answer(call, input, reduced_part(call, group_of(call), input, call[kReduceScatter["reduce_op"]]));
}
/// PyTorch reduces complex numbers as reals, so for these the result is a new tensor on the memory of `out`.
void reduce_scatter_out(RuleCall& call) {
  const TensorMeta& input = call.meta(kReduceScatterOut["input"]);
  require_out(call, reduced_part(call, group_of(call), input, call[kReduceScatterOut["reduce_op"]]));
  if (!is_complex(input.dtype)) return;
  call.out.outputs.clear();
  start_alias(call, call.tensor(kReduceScatterOut["out"]));
}
void reduce_scatter_coalesced(RuleCall& call) {
  const ProcessGroup* group = group_of(call);
  for (const Value& v : inputs_of(call, kReduceScatterCoalesced["inputs"])) {
    const TensorMeta& input = v.tensor_impl()->meta;
    answer(call, input, reduced_part(call, group, input, call[kReduceScatterCoalesced["reduce_op"]]));
  }
}

void all_to_all(RuleCall& call) {
  const ProcessGroup* group = group_of(call);
  const TensorMeta& input = call.meta(kAllToAll["input"]);
  const auto total = [&](std::span<const SymInt> splits) {
    const int64_t parts = static_cast<int64_t>(splits.size());
    call.require(!group || parts == group->size || parts == 0, "C3", "expects {} parts, one for each process: got {}",
                 group ? group->size : 0, splits);
    SymInt sum = 0;
    for (SymInt s : splits) sum = sum + s;
    return sum;
  };
  const SymInt sent = total(call.ints(kAllToAll["input_split_sizes"])),
               received = total(call.ints(kAllToAll["output_split_sizes"]));
  // In eager mode, PyTorch does not check an empty list of split sizes; an empty output list receives nothing.
  const bool split = !call.ints(kAllToAll["input_split_sizes"]).empty();
  call.require(input.dim() > 0 && (!split || check_eq(sent, input.sizes[0])), "C4",
               "input_split_sizes {} must make up dim 0: the input is {}", call.ints(kAllToAll["input_split_sizes"]),
               input);
  require_gloo_dtype(call, group, input, Complex::AsTheyAre);
  DimVec sizes = input.sizes;
  sizes[0] = received;
  answer(call, input, sizes);
}

template <Where where>
void broadcast(RuleCall& call) {
  const ProcessGroup* group = group_of(call);
  require_gloo_dtype(call, group, call.meta(kBroadcast["input"]), Complex::AsReals);
  answer_one<where>(call, call.tensor(kBroadcast["input"]));
}

void wait(RuleCall& call) { call.out.same(call.tensor(kWait["tensor"])); }
void wait_all(RuleCall& call) {
  for (const Value& v : call.list(kWaitAll["tensors"])) call.out.same(v.tensor_impl());
}
void wrap(RuleCall& call) {
  const TensorMeta& input = call.meta(kWrap["input"]);
  TensorMeta& out = call.out.fresh(input);
  out.requires_grad = false;
}

void send(RuleCall& call) {
  group_of(call);
  answer(call, call.meta(kSend["tensor"]), DimVec{0});
}
void receive(RuleCall& call) {
  group_of(call);
  call.out.same(call.tensor(kReceive["tensor"]));
}
void batch(RuleCall& call) {
  group_of(call);
  const std::span<const Value> ops = call.list(kBatch["op_list"]), tensors = call.list(kBatch["tensors"]);
  call.require(ops.size() == tensors.size(), "C8", "expects an operation for each of {} tensors: got {}",
               tensors.size(), ops.size());
  for (size_t i = 0; i < ops.size(); ++i) {
    const bool sends = ops[i].as_string() == "isend";
    call.require(sends || ops[i].as_string() == "irecv", "C8", "operations are isend and irecv: got {}",
                 ops[i].as_string());
    TensorImpl* t = tensors[i].tensor_impl();
    sends ? answer(call, t->meta, DimVec{0}) : call.out.same(t);
  }
}

/// Rule of shard_dim_alltoall. Raises C4 if this process gets no part of shard_dim.
void shard_all_to_all(RuleCall& call) {
  const ProcessGroup* group = group_of(call);
  if (!group) {
    call.not_modelled("the result depends on the group's size and this process's rank: tell them, as --group {}:2:0",
                      call[kShardAllToAll["group_name"]].as_string());
  }
  const TensorMeta& input = call.meta(kShardAllToAll["input"]);
  const int64_t gather = call.wrap_dim(call.integer(kShardAllToAll["gather_dim"]), input.dim());
  const int64_t shard = call.wrap_dim(call.integer(kShardAllToAll["shard_dim"]), input.dim());
  DimVec sizes = input.sizes;
  SymInt& gathered_size = sizes[static_cast<size_t>(gather)];
  gathered_size = gathered_size * group->size;
  SymInt& part = sizes[static_cast<size_t>(shard)];
  const SymInt whole = part, chunk = floor_div(whole + (group->size - 1), group->size);
  const SymInt before = chunk * group->rank;
  call.require(check_eq(whole, 0) || check_lt(before, whole), "C4", "dim {} has no part for rank {}: the input is {}",
               shard, group->rank, input);
  part = check_le(before + chunk, whole) ? chunk : whole - before;
  answer(call, input, sizes);
}

/// If the group has one process, copies each input to its result. Raises NotSupported if the group is larger or its
/// size is unknown.
void run(KernelCall& call) {
  const ProcessGroup* group = known_group(call);
  const int at = call.op.schema.find_argument("group_size");
  const int64_t size = group ? group->size : at >= 0 ? call.integer(static_cast<size_t>(at)) : 0;
  if (size != 1) {
    Error e(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
            size == 0 ? fmt::format("{}: which group is meant was not told, so there are no values [{}.NYI]",
                                    call.op.name, call.op.base())
                      : fmt::format("{}: the values of {} processes are not in this one [{}.NYI]", call.op.name, size,
                                    call.op.base()));
    e.op = call.op.base();
    e.label = fmt::format("{}.NYI", call.op.base());
    e.suggestion = size == 0 ? "tell the group, as --group NAME:1:0" : "judge the rules alone: --no-real";
    throw e;
  }
  std::vector<Tensor> inputs;
  const Value& first = call.args[kAllReduce["input"]];
  if (first.is_tensor()) {
    inputs.push_back(first.tensor());
  } else {
    for (const Value& v : first.as_list()) inputs.push_back(v.tensor());
  }
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    if (!call.outputs[k].is(inputs[k])) copy_elements(call.outputs[k], inputs[k]);
  }
}

void run_wrap(KernelCall& call) { copy_elements(call.outputs[0], call.tensor(kWrap["input"])); }

}  // namespace

void register_ops(Registry& r) {
  const Tags sent = Tag::Collective;
  const auto add = [&](const std::string& schema, Rule rule) -> OpEntry& {
    return r.add(schema).tag(sent).with_rule(rule).every_device(run);
  };
  add(kAllReduce.with("all_reduce", "", ""), all_reduce<Where::Fresh>)
      .refuses("C2", "f32[2], \"bogus\", \"0\"")
      .refuses("C2", "c64[2], \"max\", \"0\"");
  add(kAllReduce.with("all_reduce_", "(a!)", "(a!)"), all_reduce<Where::InPlace>);
  add(kAllReduceCoalesced.with("all_reduce_coalesced", "", ""), all_reduce_coalesced<Where::Fresh>)
      .refuses("C5", "[], \"sum\", \"0\"");
  add(kAllReduceCoalesced.with("all_reduce_coalesced_", "(a!)", "(a!)"), all_reduce_coalesced<Where::InPlace>);
  add(std::string(kAllGatherOut.text()), all_gather_out).refuses("C7", "f32[2], 1, \"0\", out=f32[3]");
  add(std::string(kAllGatherCoalesced.text()), all_gather_coalesced).sample("[f32[2,3]{1,2}, i64[4]], 1, \"0\"");
  add(std::string(kReduceScatterOut.text()), reduce_scatter_out).sample("f32[2,3], \"sum\", 1, \"0\", out=f32[2,3]");
  add(std::string(kReduceScatterCoalesced.text()), reduce_scatter_coalesced)
      .sample("[f32[2,3]{1,2}, i64[4]], \"sum\", 1, \"0\"");
  for (const char* ns : {"_c10d_functional", "_c10d_functional_autograd"}) {
    add(kAllGather.with(ns), all_gather).sample("f32[2,3]{1,2}, 1, \"0\"").refuses("C3", "f32[2], 0, \"0\"");
    add(kReduceScatter.with(ns), reduce_scatter)
        .sample("f32[4,3]{1,4}, \"sum\", 1, \"0\"")
        .refuses("C4", "f32[3], \"sum\", 2, \"0\"");
    add(kAllToAll.with(ns), all_to_all).refuses("C4", "f32[3], [2], [2], \"0\"");
  }
  r.find_mutable("_c10d_functional.all_gather_into_tensor_out.default")
      ->sample("f32[2,3]{1,2}, 1, \"0\", out=f32[2,3]{1,2}");
  add(kBroadcast.with("broadcast", "", ""), broadcast<Where::Fresh>);
  add(kBroadcast.with("broadcast_", "(a!)", "(a!)"), broadcast<Where::InPlace>);
  r.add(kWait).tag(kMayReturnArgument).with_rule(wait).sample("f32[2,3]{1,2}");
  r.add(kWaitAll).tag(kMayReturnArgument).with_rule(wait_all).sample("[f32[2,3]{1,2}, i64[4]]");
  r.add(kWrap).with_rule(wrap).every_device(run_wrap).sample("f32[2,3]{1,2}");
  r.add(kSend).tag(sent).with_rule(send);
  r.add(kReceive).tag(sent).with_rule(receive);
  r.add(kBatch).tag(sent).with_rule(batch).refuses("C8", "[\"isend\"], [0], [0], [], \"0\"");
  add(std::string(kShardAllToAll.text()), shard_all_to_all);
}

}  // namespace ersatz::op_collective
