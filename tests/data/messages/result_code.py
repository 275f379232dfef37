# AOT ID: ['6_inference']
from torch._inductor.async_compile import AsyncCompile


class Runner:
    def call(self, args):
        arg0_1, = args
        args.clear()
        assert_size_stride(arg0_1, (6, 4), (4, 1), 'input')
        # Topologically Sorted Source Nodes: [qr_like], Original ATen: [plant.qr_like]
        buf0 = torch.ops.plant.qr_like.default(arg0_1)
        del arg0_1
        buf1 = buf0[0]
        assert_tensor_metadata(buf1, (6, 4), (4, 1), torch.float32, 'torch.ops.plant.qr_like.default')
        # buffer buf1 (op: torch.ops.plant.qr_like.default) is assumed to be not aligned
        buf2 = buf0[1]
        assert_tensor_metadata(buf2, (4, 4), (4, 1), torch.float32, 'torch.ops.plant.qr_like.default')
        # buffer buf2 (op: torch.ops.plant.qr_like.default) is assumed to be not aligned
        buf3 = buf0[2]
        assert_tensor_metadata(buf3, (4, ), (1, ), torch.float32, 'torch.ops.plant.qr_like.default')
        # buffer buf3 (op: torch.ops.plant.qr_like.default) is assumed to be not aligned
        del buf0
        buf4 = buf1; del buf1  # reuse
        cpp_fused_mul_0(buf4, buf3)
        del buf3
        buf5 = empty_strided_cpu((6, 4), (4, 1), torch.float32)
        # Topologically Sorted Source Nodes: [mul, matmul], Original ATen: [aten.mul, aten.mm]
        extern_kernels.mm(buf4, buf2, out=buf5)
        del buf4
        buf6 = buf2; del buf2  # reuse
        cpp_fused_relu_1(buf6)
        return (buf5, buf6, )

runner = Runner(partitions=[])
call = runner.call
recursively_apply_fns = runner.recursively_apply_fns


def get_args():
    from torch._dynamo.testing import rand_strided
    arg0_1 = rand_strided((6, 4), (4, 1), device='cpu', dtype=torch.float32)
    return [arg0_1]
