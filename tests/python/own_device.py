"""A PyTorch backend for the device privateuseone, written in Python on the host's memory.

    python own_device.py [NAME [copies | live]]

The backend computes as the CPU does, but the results of its products are column-major. The script runs one product on it, and records
the run to run.jsonl and run.txt. NAME renames the device, and `copies` adds the operator that copies to the CPU. With `live` nothing is
recorded: `ersatz crosscheck own_device.py NAME live` checks the run itself.
"""
import ctypes
import sys

import torch
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

CPU, DEVICE = 1, 12  # kDLCPU, kDLExtDev


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p),
                ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64)]


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
alive = []  # keeps the memory of all tensors in the script alive


def on(device, t):
    """Returns a float tensor on the other device, on the same memory."""
    dims = ctypes.c_int64 * t.dim()
    sizes, strides = dims(*t.size()), dims(*t.stride())
    managed = DLManagedTensor(DLTensor(t.data_ptr(), device, 0, t.dim(), 2, 8 * t.element_size(), 1, ctypes.addressof(sizes),
                                       ctypes.addressof(strides), 0), None, None)
    alive.append((t, sizes, strides, managed))
    return torch._C._from_dlpack(capsule(ctypes.addressof(managed), b"dltensor", None))


def start(name, copies):
    """Registers the backend. The result must live as long as the backend."""
    _setup_privateuseone_for_python_backend(None if name == "privateuseone" else name)
    library = torch.library.Library("aten", "IMPL")
    by_the_cpu = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
    for op in (torch.ops.aten.as_strided.default, torch.ops.aten.view.default):  # only metadata
        library.impl(op, lambda *args, op=op: op.redispatch(by_the_cpu, *args), "PrivateUse1")
    library.impl("mm", lambda a, b: on(DEVICE, (on(CPU, a) @ on(CPU, b)).t().contiguous().t()), "PrivateUse1")
    library.impl("relu", lambda x: on(DEVICE, on(CPU, x).relu()), "PrivateUse1")
    if copies:
        library.impl("_copy_from", lambda source, to, non_blocking=False: to.copy_(on(CPU, source)), "PrivateUse1")
    return library


if __name__ == "__main__":
    library = start(sys.argv[1] if len(sys.argv) > 1 else "privateuseone", "copies" in sys.argv)
    a, b = on(DEVICE, torch.arange(6.0).reshape(2, 3)), on(DEVICE, torch.ones(3, 4))
    if "live" in sys.argv:
        (a @ b).relu().t()
        a.as_strided((3,), (1,))
    else:
        from ersatz.torch import record
        with record("run.jsonl", program=True, values=64):
            (a @ b).relu().t()
