"""If the recorder has an error, or a value does not fit its format, this is reported and the run goes on."""
import os
import threading
import unittest

from recorder_test import RecorderCase, torch

if torch:
    from recording import record
    from recording.operators import Op


class ARunIsNotEnded(RecorderCase):
    def replayed(self):
        done = self.ersatz("crosscheck", self.path, "--keep-going")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.stdout

    def test_by_quantized_tensors_whose_values_are_wanted(self):
        x = torch.ones(3)
        records = self.record(lambda: torch.quantize_per_tensor(x, 0.1, 0, torch.qint8).dequantize(), values=64)
        self.assertEqual(records[0]["out"], [{"opaque": ["quantized tensor", "qint8[3]{1}+0@cpu"]}])
        self.replayed()

    def test_by_nested_tensors(self):
        rows = [torch.randn(2, 3), torch.randn(4, 3)]
        records = self.record(lambda: torch.nested.nested_tensor(rows) + 1)
        self.assertIn({"opaque": ["nested tensor", ""]}, records[-1]["out"])
        self.replayed()

    def test_by_tensors_of_the_meta_device(self):
        records = self.record(lambda: torch.empty(3, device="meta") + 1)
        self.assertEqual(records[0]["kwargs"]["device"], {"device": "meta"})
        self.assertIn("skipped: 2 records", self.replayed())

    def test_by_an_exception_of_the_recorder(self):
        original = Op.__init__

        def fails_at_relu(op, func):
            if func is torch.ops.aten.relu.default:
                raise ZeroDivisionError("planted")
            original(op, func)
        self.addCleanup(setattr, Op, "__init__", original)
        Op.__init__ = fails_at_relu
        with self.assertWarnsRegex(UserWarning, "1 calls could not be described, the first: aten.relu.default: ZeroDivisionError: planted"):
            records = self.record(lambda: torch.ones(3).relu().neg())
        self.assertEqual([r["op"] for r in records], ["aten.ones.default", "aten.relu.default", "aten.neg.default"])
        self.assertIn("skipped: 1 record: not described by the recorder", self.replayed())

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_by_a_full_disk(self):
        with self.assertWarnsRegex(UserWarning, "/dev/full: 2 calls are not recorded, it cannot be written: No space left on device"):
            with record("/dev/full") as recorder:
                self.assertEqual(torch.ones(2).neg().tolist(), [-1, -1])
        self.assertEqual((recorder.recorded, recorder.dropped), (0, 2))


class AFile(RecorderCase):
    def test_is_not_written_by_two_recordings_at_once(self):
        with record(self.path):
            torch.ones(2)
            with self.assertRaisesRegex(ValueError, "another record.. is writing this file"):
                with record(self.path):
                    torch.ones(3)
            torch.ones(4)
        self.assertEqual(len(self.records()), 2)
        self.assertEqual(len(self.record(lambda: torch.ones(3))), 1)

    def test_may_be_a_pipe(self):
        os.mkfifo(self.path)
        read = []
        reader = threading.Thread(target=lambda: read.append(self.path.read_text()))
        reader.start()
        with record(self.path):
            torch.ones(2).neg()
        reader.join()
        self.assertEqual(read[0].count("\n"), 2)


if __name__ == "__main__":
    unittest.main()
