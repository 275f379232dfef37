// Collectives: operators on a group of processes. ProcessGroup (runtime/base/process_group.h) describes a group.
//
// Results are row-major. Values are computed only for a group of one process: then each collective is a copy. If no
// groups are known, sizes follow from the argument `group_size`.
//
// Constraints, where `op` is the operator's name:
// [op.C1] if groups are known, `group_name` is one of them.
// [op.C2] the reduction exists. If the input is complex, the reduction supports complex numbers.
// [op.C3] group_size is the size of the group.
// [op.C4] split sizes add up to the size of dim 0. If dim 0 is scattered, its size is a multiple of the group's size.
// [op.C5] lists are not empty (NotImplementedError), because PyTorch dispatches by the device of their tensors.
// [op.C6] if the backend is gloo, it supports the dtype and the reduction.
// [op.C7] `out` has as many elements as the result.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_collective {

inline constexpr Schema kAllReduce{"_c10d_functional::{}(Tensor{} input, Any reduce_op, Any group_name) -> Tensor{}"};
inline constexpr Schema kAllReduceCoalesced{
    "_c10d_functional::{}(Tensor{}[] inputs, Any reduce_op, Any group_name) -> Tensor{}[]"};
inline constexpr Schema kAllGather{
    "{}::all_gather_into_tensor(Tensor input, int group_size, Any group_name) -> Tensor"};
inline constexpr Schema kAllGatherOut{
    "_c10d_functional::all_gather_into_tensor_out(Tensor input, int group_size, Any group_name, *, Tensor(a!) out) -> "
    "Tensor(a!)"};
inline constexpr Schema kAllGatherCoalesced{
    "_c10d_functional::all_gather_into_tensor_coalesced(Tensor[] inputs, int group_size, Any group_name) -> Tensor[]"};
inline constexpr Schema kReduceScatter{
    "{}::reduce_scatter_tensor(Tensor input, str reduce_op, int group_size, Any group_name) -> Tensor"};
inline constexpr Schema kReduceScatterOut{
    "_c10d_functional::reduce_scatter_tensor_out(Tensor input, str reduce_op, int group_size, Any group_name, *, "
    "Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kReduceScatterCoalesced{
    "_c10d_functional::reduce_scatter_tensor_coalesced(Tensor[] inputs, str reduce_op, int group_size, Any group_name) "
    "-> Tensor[]"};
inline constexpr Schema kAllToAll{
    "{}::all_to_all_single(Tensor input, SymInt[] output_split_sizes, SymInt[] input_split_sizes, Any group_name) -> "
    "Tensor"};
inline constexpr Schema kBroadcast{"_c10d_functional::{}(Tensor{} input, int src, Any group_name) -> Tensor{}"};
/// Waits for the collective that computes `tensor`, and returns `tensor`.
inline constexpr Schema kWait{"_c10d_functional::wait_tensor(Tensor tensor) -> Tensor"};
inline constexpr Schema kWaitAll{"_c10d_functional::wait_tensors(Tensor[] tensors) -> Tensor[]"};
inline constexpr Schema kWrap{"_c10d_functional::_wrap_tensor_autograd(Tensor input) -> Tensor"};
inline constexpr Schema kSend{"_c10d_functional::isend(Tensor tensor, int dst, int tag, str group_name) -> Tensor"};
inline constexpr Schema kReceive{"_c10d_functional::irecv(Tensor tensor, int src, int tag, str group_name) -> Tensor"};
/// [batch_p2p_ops.C8] op_list has one operation, "isend" or "irecv", for each tensor.
inline constexpr Schema kBatch{
    "_c10d_functional::batch_p2p_ops(str[] op_list, int[] peer_list, int[] tag_list, Tensor[] tensors, str group_name) "
    "-> Tensor[]"};
/// Gathers along gather_dim, and keeps this rank's part of shard_dim. REQUIRES: size and rank of the group are known.
inline constexpr Schema kShardAllToAll{
    "_dtensor::shard_dim_alltoall(Tensor input, int gather_dim, int shard_dim, Any group_name) -> Tensor"};

}  // namespace ersatz::op_collective
