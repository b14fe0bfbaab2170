"""Switches of io_fault.c, which makes file system calls fail while the server runs."""

import mmap
import os
import pathlib
import struct
import sys
import tempfile

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "crash"))

# The numbers of io_fault.c.
CALLS = {"open": 1, "write": 2, "sync": 4, "rename": 8, "truncate": 16, "allocate": 32, "unlink": 64,
         "mkdir": 128, "read": 256}
EFFECTS = {"fail": 1, "fail, done": 2, "fail, half done": 3, "short": 4, "lie": 5, "wait": 6}

PATH_MAX = 4096
HEAD = struct.Struct("<IIIiqqqq")
SEEN = struct.Struct("<qq")
SEEN_AT = 32
STRUCK_PATH_AT = HEAD.size + PATH_MAX
SIZE = HEAD.size + 2 * PATH_MAX

FOREVER = 2**62


class Faults:
    """What a server that was started with `environment` suffers."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile(prefix="ordna-faults-")
        self.file.truncate(SIZE)
        self.control = mmap.mmap(self.file.fileno(), SIZE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.control.close()
        self.file.close()

    def environment(self):
        return {"ORDNA_IO_FAULT": self.file.name}

    def arm(self, path, calls, effect, error=0, first=1, last=FOREVER):
        """From the `first` call to the `last`, of those on files with `path` in their names."""
        self.disarm()
        bits = sum(CALLS[call] for call in calls)
        name = str(path).encode()
        self.control[HEAD.size:HEAD.size + len(name) + 1] = name + b"\0"
        self.control[STRUCK_PATH_AT:STRUCK_PATH_AT + 1] = b"\0"
        self.control[:HEAD.size] = HEAD.pack(0, bits, EFFECTS[effect], error, first, last, 0, 0)
        self.control[:4] = struct.pack("<I", 1)

    def disarm(self):
        self.control[:4] = struct.pack("<I", 0)

    def counts(self):
        """How many calls there were since it was armed, and how many of them were struck."""
        return SEEN.unpack(self.control[SEEN_AT:SEEN_AT + SEEN.size])

    def struck_path(self):
        text = self.control[STRUCK_PATH_AT:STRUCK_PATH_AT + PATH_MAX]
        return os.path.basename(text[:text.index(0)].decode(errors="replace"))


def library(name):
    """Where Meson has built io_fault.so or io_trace.so: in $ORDNA_TEST_LIBRARIES."""
    folder = os.environ.get("ORDNA_TEST_LIBRARIES")
    if not folder:
        sys.exit("set ORDNA_TEST_LIBRARIES to the folder of io_fault.so")
    return pathlib.Path(folder, f"{name}.so")
