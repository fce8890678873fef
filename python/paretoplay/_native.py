"""Loads and calls the C library, which makes all decisions."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
import sys
import threading
from typing import Any

_names = {"linux": "libparetoplay.so", "darwin": "libparetoplay.dylib", "win32": "libparetoplay.dll"}
_pointer, _text, _whole = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64
_signatures = {
    "pp_rule": (_pointer, _text, _text, ctypes.c_uint64),
    "pp_decide": (ctypes.c_uint64, _whole, _whole) + (_pointer,) * 8,
    "pp_observe": (ctypes.c_uint64, _whole, _pointer, _pointer),
    "pp_load": (ctypes.c_uint64, _text),
    "pp_transport": (_whole, _whole, _pointer, _pointer, _pointer, ctypes.c_double, _text, _text, _pointer, _pointer),
    "pp_hypervolume": (_whole, _whole, _pointer, _pointer, _text, _whole, _pointer),
    "pp_replay": (_text, _text, _pointer),
    "pp_methods": (_pointer,),
}
_library: Any = None
_loaded_by = 0  # id of the process
_lock = threading.Lock()
statuses: list[str] = []


def library() -> Any:
    """Return the library. Raise RuntimeError in a forked child of a process that has used it, because Go does not survive a fork."""
    global _library, _loaded_by
    if _library is not None and _loaded_by == os.getpid():
        return _library
    with _lock:
        if _library is not None and _loaded_by != os.getpid():
            raise RuntimeError(
                "paretoplay was used before this process was forked, and cannot be used in the child; "
                'start processes with multiprocessing.set_start_method("spawn") or "forkserver"'
            )
        if _library is None:
            loaded = ctypes.CDLL(str(pathlib.Path(__file__).with_name(_names.get(sys.platform, "libparetoplay.so"))))
            for name, arguments in _signatures.items():
                function = getattr(loaded, name)
                function.argtypes, function.restype = arguments, _pointer
            loaded.pp_save.argtypes, loaded.pp_save.restype = (ctypes.c_uint64,), _pointer
            loaded.pp_rule_free.argtypes, loaded.pp_rule_free.restype = (ctypes.c_uint64,), None
            loaded.pp_release.argtypes, loaded.pp_release.restype = (_pointer,), None
            _library, _loaded_by = loaded, os.getpid()
            statuses.extend(answer(loaded.pp_methods)["statuses"])
    return _library


def taken(text: int) -> str:
    """Return a text from the library and free the library's copy."""
    out = ctypes.string_at(text).decode()
    _library.pp_release(text)
    return out


def check(error: Any) -> None:
    """Raise ValueError with the library's message if error is set."""
    if error:
        raise ValueError(taken(error))


def answer(function: Any, *arguments: Any) -> Any:
    """Call a function whose last argument receives JSON, and return the decoded JSON."""
    said = ctypes.c_void_p()
    check(function(*arguments, ctypes.byref(said)))
    return json.loads(taken(said.value or 0))
