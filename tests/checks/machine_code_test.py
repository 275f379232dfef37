"""The counts of scripts/machine_code in listings of nvdisasm."""
import importlib.machinery
import importlib.util
import pathlib
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/machine_code"
loader = importlib.machinery.SourceFileLoader("machine_code", str(SCRIPT))
machine_code = importlib.util.module_from_spec(importlib.util.spec_from_loader("machine_code", loader))
loader.exec_module(machine_code)
L, S = machine_code.L, machine_code.S


def code(text):
    """Parses lines of instructions and labels, numbered as nvdisasm numbers them."""
    lines, at = [], 0
    for line in text.strip().splitlines():
        line = line.strip()
        lines.append(line if line.endswith(":") else f"        /*{at:04x}*/                   {line} ;")
        at += 16
    return machine_code.Code(lines)


class MachineCode(unittest.TestCase):
    def test_width_of_access_is_that_of_its_instruction(self):
        widths = {"LDG.E R0, desc[UR4][R2.64]": (L, 4), "LDG.E.64 R0, desc[UR4][R2.64]": (L, 8),
                  "@P0 STG.E.128 desc[UR4][R2.64], R4": (S, 16), "LDG.E.U16 R0, desc[UR4][R2.64]": (L, 2),
                  "STG.E.U8 desc[UR4][R2.64], R4": (S, 1), "LD.E.128 R0, [R2.64]": (L, 16),
                  "LDS.128 R0, [R2]": None, "STL [R1], R4": None, "LDC.64 R2, c[0x0][0x210]": None,
                  "IMAD.WIDE R2, R3, R4, R6": None}
        for text, expected in widths.items():
            self.assertEqual(code(text).memory(0), expected, text)

    def test_path_goes_where_accesses_asked_for_are(self):
        branches = code("""
            ISETP.NE.AND P0, PT, R0, RZ, PT
            @P0 BRA `(.L_x_1)
            LDG.E R4, desc[UR4][R2.64]
            EXIT
            .L_x_1:
            IADD3 R2, R2, 0x10, RZ
            LDG.E.128 R4, desc[UR4][R2.64]
            STG.E.128 desc[UR4][R2.64], R4
            EXIT
        """)
        self.assertEqual(branches.path({(L, 4): 1}), 4)
        self.assertEqual(branches.path({(L, 16): 1, (S, 16): 1}), 6)
        self.assertIsNone(branches.path({(L, 16): 2}))
        self.assertIsNone(branches.path({(L, 16): 1}))

    def test_the_path_goes_through_the_instruction_asked_for(self):
        two_ways = code("""
            @P0 BRA `(.L_x_1)
            IMAD.HI.U32 R4, R5, R6, R4
            IADD3 R4, R4, R4, RZ
            .L_x_1:
            LDG.E R4, desc[UR4][R2.64]
            EXIT
        """)
        self.assertEqual(two_ways.path({(L, 4): 1}), 3)
        self.assertEqual(two_ways.path({(L, 4): 1}, machine_code.DIVISION), 5)

    def test_a_predicated_access_may_be_left_out(self):
        both = code("""
            @P0 LDG.E.64 R4, desc[UR4][R2.64]
            @!P0 LDG.E R4, desc[UR4][R2.64]
            EXIT
        """)
        self.assertEqual(both.path({(L, 8): 1}), 3)

    def test_a_called_function_counts_each_time(self):
        calls = code("""
            CALL.REL.NOINC `($kernel$load)
            CALL.REL.NOINC `($kernel$load)
            EXIT
            $kernel$load:
            LDG.E R4, desc[UR4][R2.64]
            RET.REL.NODEC R20 `(kernel)
        """)
        self.assertEqual(calls.path({(L, 4): 2}), 7)

    def test_cycle_is_counted_without_its_entry(self):
        loop = code("""
            MOV R0, RZ
            MOV R1, RZ
            .L_x_1:
            LDG.E.128 R4, desc[UR4][R2.64]
            FADD R0, R0, R4
            @!P0 BRA `(.L_x_1)
            STG.E desc[UR4][R2.64], R0
            EXIT
        """)
        self.assertEqual(loop.cycle({(L, 16): 1}), 3)
        self.assertEqual(loop.path({(L, 16): 1, (S, 4): 1}), 7)


if __name__ == "__main__":
    unittest.main()
