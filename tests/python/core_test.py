"""ersatz: tensors, operators, modes, errors, without torch."""

import doctest
import gc
import operator
import os
import pathlib
import subprocess
import sys
import threading
import unittest

try:
    import numpy as np
except ImportError as e:
    raise unittest.SkipTest("needs numpy") from e

import ersatz
from ersatz import errors

aten = ersatz.ops.aten


def real(array):
    return ersatz.from_dlpack(np.array(array))


class OperatorTest(unittest.TestCase):
    def test_arguments_go_by_position_and_by_name(self):
        x = ersatz.fake("f32[2,3]")
        self.assertEqual(repr(aten.add.Tensor(x, x, alpha=2)), "f32[2,3]{3,1}+0@cpu")
        self.assertEqual(repr(aten.sum.dim_IntList(x, [1], keepdim=True)), "f32[2,1]{1,1}+0@cpu")
        self.assertEqual(repr(aten.sum.dim_IntList(dim=[0], self=x, dtype="f64")), "f64[3]{1}+0@cpu")

    def test_unfit_arguments_are_named_with_the_schema(self):
        x = ersatz.fake("f32[2]")
        for given, named, words in [((x,), {}, "argument 'other' is missing"), ((x, x, 2), {}, "takes 2 positional arguments, not 3"),
                                    ((x, x), {"beta": 1}, "has no argument 'beta'"), ((x, x), {"other": x}, "argument 'other' is given twice")]:
            with self.assertRaises(errors.TypeError) as raised:
                aten.add.Tensor(*given, **named)
            self.assertIn(words, str(raised.exception))
            self.assertIn("Tensor self, Tensor other, *, Scalar alpha=1", str(raised.exception))
            self.assertEqual(len(str(raised.exception).splitlines()), 1)

    def test_non_argument_object_is_named_by_type(self):
        with self.assertRaisesRegex(errors.TypeError, "a dict is no Tensor"):
            aten.relu.default({})

    def test_several_results_are_tuple_tensor_list_list(self):
        x = ersatz.fake("f32[4,3]")
        self.assertIsInstance(aten.max.dim(x, 0), tuple)
        parts = aten.split.Tensor(x, 2)
        self.assertEqual([repr(p) for p in parts], ["f32[2,3]{3,1}+0@cpu", "f32[2,3]{3,1}+6@cpu"])

    def test_argument_that_is_result_is_same_object(self):
        x = ersatz.fake("f32[2]")
        self.assertIs(aten.add_.Tensor(x, x), x)
        out = ersatz.fake("f32[2]")
        self.assertIs(aten.add.out(x, x, out=out), out)

    def test_overload_is_chosen_by_schema_with_its_error(self):
        x, y = ersatz.fake("f32[2,3]"), ersatz.fake("f32[4]")
        self.assertEqual(repr(aten.sum(x)), "f32[]{}+0@cpu")
        self.assertEqual(repr(aten.sum(x, [0])), "f32[3]{1}+0@cpu")
        self.assertEqual(repr(aten.pow(2, x)), "f32[2,3]{3,1}+0@cpu")
        self.assertEqual(len(aten.max(x, 1)), 2)
        self.assertEqual(repr(aten.div(x, 2.0, rounding_mode="floor")), "f32[2,3]{3,1}+0@cpu")
        with self.assertRaises(errors.RuntimeError) as raised:
            aten.add(x, y)
        self.assertEqual(raised.exception.label.split(".")[0], "add")
        with self.assertRaises(errors.IndexError):
            aten.sum(x, [5])
        with self.assertRaisesRegex(errors.TypeError, "no overload takes these arguments"):
            aten.add(x, "two")

    def test_names_lead_to_operators(self):
        self.assertEqual(aten.add.Tensor.name, "aten.add.Tensor")
        self.assertIn("Scalar alpha=1", aten.add.Tensor.schema)
        self.assertIn("Tensor", aten.add.overloads())
        with self.assertRaisesRegex(AttributeError, "no operator aten.nonesuch"):
            aten.nonesuch
        with self.assertRaisesRegex(AttributeError, "has no overload 'Tensors'"):
            aten.add.Tensors

    def test_numbers_of_numpy_are_numbers(self):
        x = ersatz.fake("i64[2]")
        self.assertEqual((x + np.float32(1)).dtype, "f32")
        self.assertEqual((x + np.int64(1)).dtype, "i64")
        self.assertEqual((x + np.bool_(True)).dtype, "i64")

    def test_calls_leave_nothing_behind(self):
        x = ersatz.fake("f32[2,3]")

        def calls():
            for _ in range(20000):
                aten.add.Tensor(x, x, alpha=2)
                x[0]
            gc.collect()
            return int(pathlib.Path("/proc/self/statm").read_text().split()[1])

        calls()
        before = calls()
        self.assertLess(calls() - before, 200)  # allocated pages


class ArithmeticTest(unittest.TestCase):
    def test_operators_of_python_compute(self):
        x, y = real([[4.0, 6.0], [8.0, 9.0]]), real([[1.0, 2.0], [4.0, 3.0]])
        for f in [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.matmul,
                  operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]:
            np.testing.assert_array_equal(f(x, y).numpy(), f(x.numpy(), y.numpy()), f.__name__)
        for f in [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.eq,
                  operator.ne, operator.lt, operator.le, operator.gt, operator.ge]:
            np.testing.assert_array_equal(f(x, 2.0).numpy(), f(x.numpy(), 2.0), f.__name__)
            np.testing.assert_array_equal(f(2.0, x).numpy(), f(2.0, x.numpy()), f.__name__)
        np.testing.assert_array_equal((-x).numpy(), -x.numpy())
        np.testing.assert_array_equal(abs(-x).numpy(), x.numpy())
        self.assertIs(+x, x)

    def test_bits_of_integers(self):
        i, j = real([6, 5]), real([3, 1])
        for f in [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]:
            np.testing.assert_array_equal(f(i, j).numpy(), f(i.numpy(), j.numpy()), f.__name__)
            np.testing.assert_array_equal(f(i, 2).numpy(), f(i.numpy(), 2), f.__name__)
            np.testing.assert_array_equal(f(2, j).numpy(), f(2, j.numpy()), f.__name__)
        np.testing.assert_array_equal((~i).numpy(), ~i.numpy())

    def test_an_augmented_assignment_writes_the_tensor(self):
        array = np.array([1.0, 2.0])
        x = same = ersatz.from_dlpack(array)
        x += 1
        x *= 3
        x -= ersatz.from_dlpack(np.array([1.0, 1.0]))
        x /= 2
        x **= 2
        self.assertIs(x, same)
        np.testing.assert_array_equal(array, [6.25, 16.0])

    def test_metadata_of_fakes_promote_and_broadcast(self):
        self.assertEqual(repr(ersatz.fake("i64[3]") / 2), "f32[3]{1}+0@cpu")
        self.assertEqual(repr(ersatz.fake("f32[2,1]") + ersatz.fake("f64[3]")), "f64[2,3]{3,1}+0@cpu")
        self.assertEqual(repr(ersatz.fake("f32[2,3]@cuda:0") @ ersatz.fake("f32[3,4]@cuda:0")), "f32[2,4]{4,1}+0@cuda:0")

    def test_a_numpy_array_stands_on_either_side(self):
        x, array = real([1.0, 2.0]), np.array([3.0, 4.0])
        self.assertIsInstance(array + x, ersatz.Tensor)
        np.testing.assert_array_equal((array - x).numpy(), [2.0, 2.0])
        np.testing.assert_array_equal((x - array).numpy(), [-2.0, -2.0])

    def test_non_operand_is_refused_like_python(self):
        x = real([1.0])
        with self.assertRaises(TypeError):
            x + "a"
        with self.assertRaises(TypeError):
            x @ 2
        with self.assertRaises(TypeError):
            x < None
        self.assertFalse(x == None)  # noqa: E711
        self.assertTrue(x != "a")

    def test_tensors_are_keys_by_identity(self):
        x, y = real([1.0]), real([1.0])
        self.assertEqual({x: 1, y: 2}[x], 1)

    def test_an_error_of_the_operator_comes_through(self):
        with self.assertRaises(errors.RuntimeError) as raised:
            ersatz.fake("f32[2]") + ersatz.fake("f32[3]")
        self.assertEqual((raised.exception.op, raised.exception.kind), ("add", "InvalidArgument"))
        self.assertEqual(raised.exception.arguments[0], "f32[2]{1}+0@cpu")


class IndexTest(unittest.TestCase):
    ARRAY = np.arange(120.0).reshape(4, 5, 6)

    def test_indexing_selects_what_numpy_selects(self):
        x = ersatz.from_dlpack(self.ARRAY)
        rows, mask, wide = np.array([0, 2]), np.array([True, False, True, True]), self.ARRAY[..., 0] > 50
        for key in [0, -1, slice(1, 3), slice(None, None, 2), None, ..., (..., 0), (0, ..., 1), (slice(1, 3), None, 2), slice(None), rows,
                    (slice(None), rows), (rows, slice(None), rows), mask, (0, rows), (rows, 0), (None, rows), (..., rows), (slice(1, 3), rows),
                    (), (0, 0, 0), wide, (wide, 0), (slice(0, 4), 0), (slice(-4, 4), 0), np.int64(1), (0, None, slice(1, None)),
                    (rows, ..., rows), True, slice(-5, 100, 3), slice(2, 1)]:
            mine = tuple(real(k) if isinstance(k, np.ndarray) else k for k in key) if isinstance(key, tuple) else key
            mine = real(key) if isinstance(key, np.ndarray) else mine
            np.testing.assert_array_equal(x[mine].numpy(), self.ARRAY[key], str(key))

    def test_slices_and_empty_indices_are_views(self):
        x = ersatz.fake("f32[4,5]")
        self.assertEqual(repr(x[1:3, None, 2]), "f32[2,1]{5,5}+7@cpu")
        for view in [x[1], x[1:], x[None], x[...], x[()], x[:]]:
            self.assertTrue(view.shares_storage(x))
            self.assertIsNot(view, x)

    def test_mask_on_fake_is_refused_for_its_data(self):
        with self.assertRaises(errors.Error) as raised:
            ersatz.fake("f32[4]")[ersatz.fake("bool[4]")]
        self.assertEqual(raised.exception.kind, "DynamicOutputShape")

    def test_wrong_indices_say_why(self):
        x = ersatz.fake("f32[4,5]")
        for key, error, words in [(4, IndexError, "index 4 must lie in dim 0 of size 4"), ((0, 0, 0), IndexError, "too many indices"), ("a", IndexError, "a str is no index"),
                                  (slice(None, None, -1), ValueError, "step of a slice is positive"), (1.5, IndexError, "a float is no index")]:
            with self.assertRaisesRegex(error, words) as raised:
                x[key]
            self.assertIsInstance(raised.exception, ersatz.Error)

    def test_len_and_iteration_go_by_the_first_dim(self):
        x = ersatz.fake("f32[4,5]")
        self.assertEqual(len(x), 4)
        self.assertEqual([repr(row) for row in x][1], "f32[5]{1}+5@cpu")
        with self.assertRaises(TypeError):
            len(ersatz.fake("f32[]"))
        with self.assertRaises(TypeError):
            iter(ersatz.fake("f32[]"))


class ValueTest(unittest.TestCase):
    def test_one_element_is_a_number(self):
        self.assertEqual((int(real([3])), float(real([[2.5]])), bool(real(0.0)), complex(real([1j]))), (3, 2.5, False, 1j))
        self.assertEqual((real([2.5]).item(), real(True).item(), real([3]).item(), real([1 + 2j]).item()), (2.5, True, 3, 1 + 2j))
        self.assertEqual([10, 20, 30][real(1)], 20)

    def test_several_elements_and_fakes_are_none(self):
        with self.assertRaisesRegex(RuntimeError, "a tensor of 2 elements is no single truth value"):
            bool(real([1, 2]))
        with self.assertRaises(ValueError):
            float(real([1.0, 2.0]))
        with self.assertRaises(TypeError):
            operator.index(real(1.5))
        with self.assertRaises(errors.RuntimeError) as raised:
            bool(ersatz.fake("bool[]"))
        self.assertEqual(raised.exception.kind, "DataDependentOutput")


class ArrayTest(unittest.TestCase):
    def test_memory_crosses_uncopied_and_lives_while_used(self):
        array = np.arange(6.0).reshape(2, 3)
        x = ersatz.from_dlpack(array)
        out = x.numpy()
        self.assertEqual(out.__array_interface__["data"], array.__array_interface__["data"])
        self.assertEqual(np.from_dlpack(x).__array_interface__["data"], array.__array_interface__["data"])
        del x, array
        gc.collect()
        np.testing.assert_array_equal(out, [[0, 1, 2], [3, 4, 5]])
        view = ersatz.from_dlpack(np.arange(6.0).reshape(2, 3).T)
        self.assertEqual(repr(view), "f64[3,2]{1,3}+0@cpu")

    def test_memory_of_ersatz_lives_as_long_as_array(self):
        array = (real([1.0, 2.0]) * 2).numpy()
        gc.collect()
        np.testing.assert_array_equal(array, [2.0, 4.0])

    def test_dtypes_keep_their_names(self):
        for name, short in [("float16", "f16"), ("float32", "f32"), ("int8", "i8"), ("uint8", "u8"), ("bool", "bool"), ("complex64", "c64")]:
            x = ersatz.from_dlpack(np.zeros(2, name))
            self.assertEqual((x.dtype, x.numpy().dtype.name), (short, name))

    def test_what_has_the_buffer_protocol_is_an_array(self):
        memory = bytearray(b"\x01\x02\x03")
        x = ersatz.from_dlpack(memory)
        self.assertEqual(repr(x), "u8[3]{1}+0@cpu")
        memory[0] = 9
        self.assertEqual(x[0].item(), 9)

    def test_arrays_that_are_no_tensors_say_why(self):
        for array, words in [(np.arange(3)[::-1], "negative stride"), (np.broadcast_to(np.float64(1), 3), "must not be written|copy"),
                             (np.zeros(2, np.longdouble), "cannot be read|there is none"), ("text", "cannot be read as an array"),
                             (np.zeros(2, "M8[s]"), "cannot be read|there is none")]:
            with self.assertRaisesRegex(ersatz.Error, words):
                ersatz.from_dlpack(array)

    def test_asarray_gives_the_memory_or_another_dtype(self):
        x = real([1.5, 2.5])
        self.assertEqual(np.asarray(x).__array_interface__["data"], x.numpy().__array_interface__["data"])
        self.assertEqual(np.asarray(x, dtype="int64").tolist(), [1, 2])
        self.assertNotEqual(np.array(x, copy=True).__array_interface__["data"], x.numpy().__array_interface__["data"])
        with self.assertRaises(errors.RuntimeError):
            ersatz.fake("f32[2]").numpy()

    def test_bf16_needs_ml_dtypes(self):
        x = aten._to_copy.default(real([1.5, 2.0]), dtype="bf16")
        try:
            import ml_dtypes
        except ImportError:
            with self.assertRaisesRegex(errors.NotImplementedError, "pip install ml_dtypes"):
                x.numpy()
            return
        self.assertEqual(x.numpy().dtype, ml_dtypes.bfloat16)
        self.assertEqual(x.numpy().tolist(), [1.5, 2.0])
        self.assertEqual(repr(ersatz.from_dlpack(np.array([1, 2], ml_dtypes.bfloat16))), "bf16[2]{1}+0@cpu")

    def test_a_fake_like_an_array_has_its_metadata(self):
        self.assertEqual(repr(ersatz.fake(like=np.zeros((2, 3), "float32").T)), "f32[3,2]{1,3}+0@cpu")
        self.assertTrue(ersatz.fake(like=real([1.0])).is_fake)
        with self.assertRaises(ersatz.Error):
            ersatz.fake()


class ModeTest(unittest.TestCase):
    def test_in_a_mode_factories_make_fakes(self):
        with ersatz.FakeMode() as mode:
            self.assertTrue(aten.zeros.default([2]).is_fake)
            self.assertIs(type(mode), ersatz.FakeMode)
        self.assertFalse(aten.zeros.default([2]).is_fake)

    def test_modes_left_out_of_order_are_refused(self):
        a, b = ersatz.FakeMode(), ersatz.FakeMode()
        a.__enter__()
        b.__enter__()
        with self.assertRaisesRegex(ersatz.Error, "left in the reverse order"):
            a.__exit__(None, None, None)
        b.__exit__(None, None, None)
        a.__exit__(None, None, None)
        with self.assertRaisesRegex(ersatz.Error, "left in the reverse order"):
            a.__exit__(None, None, None)
        self.assertFalse(aten.zeros.default([2]).is_fake)

    def test_mode_never_left_ends_with_its_thread(self):
        def run():
            for _ in range(3):
                ersatz.FakeMode().__enter__()
            seen.append(aten.zeros.default([2]).is_fake)

        seen = []
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        self.assertEqual((seen, aten.zeros.default([2]).is_fake), ([True], False))

    def test_modes_are_of_their_thread(self):
        inside, leave, seen = threading.Event(), threading.Event(), []

        def run():
            with ersatz.FakeMode():
                inside.set()
                leave.wait(10)

        thread = threading.Thread(target=run)
        thread.start()
        inside.wait(10)
        seen.append(aten.zeros.default([2]).is_fake)
        leave.set()
        thread.join()
        self.assertEqual(seen, [False])

    def test_data_dependent_sizes_are_symbols_on_request(self):
        with ersatz.FakeMode(data_symbols=True) as mode:
            x = mode.from_tensor(np.ones((3, 4)))
            self.assertEqual(aten.nonzero.default(x).shape, ("u0", 2))
        with ersatz.FakeMode() as mode, self.assertRaises(ersatz.Error) as raised:
            aten.nonzero.default(mode.from_tensor(np.ones((3, 4))))
        self.assertEqual(raised.exception.kind, "DynamicOutputShape")

    def test_backend_decides_layouts_and_unknown_is_refused(self):
        with self.assertRaisesRegex(ersatz.Error, "--backend"):
            ersatz.FakeMode(backend="sm_x")
        with self.assertRaisesRegex(ersatz.Error, "fallback"):
            ersatz.FakeMode(fallback="ones")
        with ersatz.FakeMode(backend="sm_90"):
            self.assertEqual(ersatz.fake("f32[2]@cuda:0").device, "cuda:0")

    def test_real_tensors_among_fakes_are_converted_where_allowed(self):
        with ersatz.FakeMode() as mode, self.assertRaises(ersatz.Error):
            aten.add.Tensor(mode.from_tensor(np.ones(2)), real([1.0, 2.0]))
        with ersatz.FakeMode(allow_non_fake_inputs=True) as mode:
            self.assertTrue(aten.add.Tensor(mode.from_tensor(np.ones(2)), real([1.0, 2.0])).is_fake)
        self.assertEqual(mode.fallbacks, [])


class ProcessTest(unittest.TestCase):
    def test_threads_call_at_the_same_time(self):
        failures = []

        def run(seed):
            try:
                for n in range(1, 200):
                    with ersatz.FakeMode() as mode:
                        x = mode.from_tensor(np.ones((n, seed)))
                        assert (x @ aten.t.default(x)).shape == (n, n)
                    assert float(aten.sum.default(real(np.full(n, seed)))) == n * seed
            except BaseException as e:
                failures.append(e)

        threads = [threading.Thread(target=run, args=(k + 1,)) for k in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(failures, [])

    def test_real_call_leaves_interpreter_to_other_threads(self):
        x, done, counted = real(np.ones((1400, 1400))), threading.Event(), [0]

        def count():
            while not done.is_set():
                counted[0] += 1

        thread = threading.Thread(target=count)
        thread.start()
        before = counted[0]
        aten.mm.default(x, x)
        during = counted[0] - before
        done.set()
        thread.join()
        self.assertGreater(during, 1000)

    def test_a_forked_child_goes_on(self):
        x = real(np.ones((300, 300)))
        aten.mm.default(x, x)
        pid = os.fork()
        if pid == 0:
            ok = float(aten.mm.default(x, x)[0, 0]) == 300.0
            with ersatz.FakeMode():
                ok = ok and aten.zeros.default([2]).is_fake
            os._exit(0 if ok else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)

    def test_import_loads_neither_torch_nor_numpy(self):
        code = "import sys, ersatz; sys.exit(bool({'torch', 'numpy'} & set(sys.modules)))"
        self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 0)

    def test_examples_of_the_docstrings_run(self):
        self.assertEqual(doctest.testmod(ersatz).failed, 0)


class ErrorTest(unittest.TestCase):
    def test_errors_are_of_pythons_family_and_of_ersatz(self):
        x = ersatz.fake("f32[2,3]")
        for call, family in [(lambda: aten.select.int(x, 5, 0), IndexError), (lambda: aten.relu.default([x, 1]), TypeError),
                             (lambda: aten.add.Tensor(x, ersatz.fake("f32[7]")), RuntimeError)]:
            with self.assertRaises(family) as raised:
                call()
            e = raised.exception
            self.assertIsInstance(e, ersatz.Error)
            self.assertEqual(len(str(e).splitlines()), 1)
            self.assertTrue(e.kind)

    def test_unknown_dtypes_and_metadata_are_refused(self):
        for call, words in [(lambda: ersatz.fake("f33[2]"), "f33"), (lambda: ersatz.fake("f32[2"), "f32"),
                            (lambda: aten.sum.default(ersatz.fake("f32[2]"), dtype="f99"), "no dtype 'f99'")]:
            with self.assertRaisesRegex(ersatz.Error, words) as raised:
                call()
            self.assertEqual(len(str(raised.exception).splitlines()), 1)

    def test_a_plugin_that_is_none_is_refused(self):
        with self.assertRaises(ersatz.Error):
            ersatz.load_plugin(pathlib.Path("/nonexistent/libmine.so"))


if __name__ == "__main__":
    unittest.main()
