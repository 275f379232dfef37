"""Tensors of dtypes that few kernels take are converted to torch and NumPy and back bit by bit, or refused by name."""

import importlib
import importlib.util
import typing
import unittest

try:
    import numpy as np
except ImportError as e:
    raise unittest.SkipTest("needs numpy") from e

import ersatz
from ersatz import errors


def module(name: str) -> typing.Any:
    """Returns the module, or None if it is not installed."""
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


torch, ml_dtypes = module("torch"), module("ml_dtypes")

LONG = {
    "f8e4m3fn": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2",
    "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e5m2fnuz": "float8_e5m2fnuz",
    "f8e8m0fnu": "float8_e8m0fnu",
    "f4e2m1fn_x2": "float4_e2m1fn_x2",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "c32": "complex32"
}
NOT_IN_NUMPY = ("f4e2m1fn_x2", "c32")
BYTES: typing.Any = np.arange(256 * 8, dtype=np.int64) * 37 % 256


@unittest.skipIf(torch is None, "torch is not installed")
class TorchTest(unittest.TestCase):
    def test_every_dtype_keeps_its_memory_both_ways(self) -> None:
        for short, long in LONG.items():
            with self.subTest(short):
                theirs = torch.from_numpy(BYTES.astype(np.uint8)).view(getattr(torch, long))
                ours = ersatz.from_dlpack(theirs)
                self.assertEqual(ours.dtype, short)
                back = torch.from_dlpack(ours)
                self.assertEqual((back.dtype, back.data_ptr()), (theirs.dtype, theirs.data_ptr()))
                self.assertTrue(torch.equal(back.view(torch.uint8), torch.from_numpy(BYTES.astype(np.uint8))))


class NumPyTest(unittest.TestCase):
    def crosses(self, array: typing.Any, short: str) -> None:
        ours = ersatz.from_dlpack(array)
        self.assertEqual(ours.dtype, short)
        back = ours.numpy()
        self.assertEqual((back.dtype, back.__array_interface__["data"]), (array.dtype, array.__array_interface__["data"]))
        np.testing.assert_array_equal(back.view(np.uint8), BYTES.astype(np.uint8))

    def test_wide_unsigned_integers(self) -> None:
        for short in ("u16", "u32", "u64"):
            with self.subTest(short):
                self.crosses(BYTES.astype(np.uint8).view(LONG[short]), short)

    @unittest.skipIf(ml_dtypes is None, "ml_dtypes is not installed")
    def test_floats_of_8_bits_by_ml_dtypes(self) -> None:
        for short in LONG:
            if not short.startswith("f8"):
                continue
            with self.subTest(short):
                self.crosses(BYTES.astype(np.uint8).view(getattr(ml_dtypes, LONG[short])), short)

    @unittest.skipIf(torch is None, "torch is not installed")
    def test_dtype_unknown_to_numpy_is_refused_by_name(self) -> None:
        for short in NOT_IN_NUMPY:
            with self.subTest(short):
                ours = ersatz.from_dlpack(torch.zeros(8, dtype=torch.uint8).view(getattr(torch, LONG[short])))
                with self.assertRaisesRegex(errors.NotImplementedError, f"NumPy has no {short}, with ml_dtypes neither"):
                    ours.numpy()

    @unittest.skipIf(ml_dtypes is None, "ml_dtypes is not installed")
    def test_four_bit_float_per_byte_is_not_packed(self) -> None:
        with self.assertRaisesRegex(ersatz.Error, "there is none here|cannot be read"):
            ersatz.from_dlpack(np.zeros(4, ml_dtypes.float4_e2m1fn))


if __name__ == "__main__":
    unittest.main()
