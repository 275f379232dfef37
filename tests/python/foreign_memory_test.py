"""Memory of other libraries that no kernel of ersatz reads as it is."""

import ctypes
import unittest

try:
    import numpy as np
except ImportError as e:
    raise unittest.SkipTest("needs numpy") from e

import ersatz

aten = ersatz.ops.aten


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_uint64), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64))]


class ComplexOnGpu:
    """Two complex128 numbers on cuda:0, as an array library would give them. The address is 8 bytes beyond a multiple of 16.

    It is an address of the host, because nothing may read it.
    """

    def __init__(self):
        self.numbers = np.zeros(8)

    def __dlpack__(self, **how):
        capsule = self.numbers.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        tensor = DLTensor.from_address(pointer(capsule, b"dltensor"))
        tensor.device_type, tensor.code, tensor.bits = 2, 5, 128
        tensor.data += 8 if tensor.data % 16 == 0 else 0
        tensor.shape[0] = 2
        return capsule

    def __dlpack_device__(self):
        return (2, 0)


class ForeignMemoryTest(unittest.TestCase):
    def test_bool_is_true_unless_its_byte_is_zero(self):
        bytes_ = np.array([0, 2, 255, 1], np.uint8)
        mask = ersatz.from_dlpack(bytes_.view(bool))
        self.assertEqual(aten._to_copy(mask, dtype="i64").numpy().tolist(), [0, 1, 1, 1])
        self.assertEqual(aten.masked_select(ersatz.from_dlpack(np.arange(4.0)), mask).numpy().tolist(), [1, 2, 3])
        self.assertEqual(aten.sum(mask).item(), 3)
        self.assertEqual(bytes_.tolist(), [0, 2, 255, 1])

    def test_bytes_viewed_as_bool_are_plain_for_kernels(self):
        viewed = aten.view.dtype(ersatz.from_dlpack(np.array([0, 2, 255], np.uint8)), "bool")
        self.assertEqual(aten.logical_not(viewed).numpy().tolist(), [True, False, False])
        aten.logical_not_(viewed)
        self.assertEqual(viewed.numpy().tolist(), [True, False, False])

    def test_misaligned_array_of_a_gpu_is_refused(self):
        with self.assertRaisesRegex(ersatz.Error, "c128 on cuda:0 at an address that is no multiple of 16 bytes: copy it first"):
            ersatz.from_dlpack(ComplexOnGpu())


if __name__ == "__main__":
    unittest.main()
