"""A disk that loses power: what is left of the calls that io_trace.c wrote down, up to a cut.

A file's content is safe once the file was synced, a name once its directory was. Of what was not
synced, any part may be left: that is chosen by a loss, one function of the table LOSSES.
"""

import os
import pathlib
import struct

RECORD = struct.Struct("<BiqqqI")
START, OPEN, WRITE, SYNC, TRUNCATE, RENAME, UNLINK, MKDIR, RMDIR, CLOSE = range(1, 11)

SECTOR = 512


class Event:
    def __init__(self, kind, descriptor, time_ns, number, data):
        self.kind = kind
        self.descriptor = descriptor
        self.time_ns = time_ns
        self.number = number
        self.data = data

    def path(self):
        return clean_path(self.data)


def clean_path(data):
    return os.path.normpath(os.fsdecode(data))


def read_trace(path):
    data = pathlib.Path(path).read_bytes()
    events, at = [], 0
    while at < len(data):
        kind, descriptor, time_ns, number, _, size = RECORD.unpack_from(data, at)
        at += RECORD.size
        events.append(Event(kind, descriptor, time_ns, number, data[at:at + size]))
        at += size
    return events


class File:
    """After a sync that failed, what it should have made safe never will be: the pages count as clean."""

    def __init__(self):
        self.content = bytearray()
        self.safe = bytearray()
        self.unsafe = []  # since the last sync: (offset, bytes), or (size, None) for a truncation

    def write(self, at, data):
        apply_write(self.content, at, data)
        self.unsafe.append((at, data))

    def truncate(self, size):
        apply_write(self.content, size, None)
        self.unsafe.append((size, None))

    def sync(self, failed):
        for at, data in [] if failed else self.unsafe:
            apply_write(self.safe, at, data)
        self.unsafe = []


class Folder:
    def sync(self, failed):
        """Its names are the disk's matter."""


def apply_write(content, at, data):
    end = at + len(data or b"")
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    if data is None:
        del content[at:]
    else:
        content[at:end] = data


class Disk:
    """All files below one directory, as a program sees them and as they are safe."""

    def __init__(self, root):
        self.root = str(root)
        self.names = {self.root: Folder()}  # path: File or Folder
        self.safe_names = dict(self.names)
        self.unsafe_names = []  # since their folders were synced: (folder, {path: node, or None})
        self.open = {}          # descriptor: [node, path, offset, appends]
        self.does = {START: self.start, OPEN: self.do_open, WRITE: self.write, SYNC: self.sync,
                     TRUNCATE: self.truncate, RENAME: self.rename, UNLINK: self.unlink,
                     MKDIR: self.mkdir, RMDIR: self.unlink, CLOSE: self.close}

    def apply(self, event):
        self.does[event.kind](event)

    def start(self, _):
        self.open = {}

    def change_names(self, changes):
        for path, node in changes.items():
            if node is None:
                del self.names[path]
            else:
                self.names[path] = node
        folder = os.path.dirname(next(iter(changes)))
        self.unsafe_names.append((folder, changes))

    def do_open(self, event):
        path, flags = event.path(), event.number
        if path not in self.names:
            self.change_names({path: File()})
        node = self.names[path]
        if flags & os.O_TRUNC and node.content:
            node.truncate(0)
        self.open[event.descriptor] = [node, path, 0, bool(flags & os.O_APPEND)]

    def write(self, event):
        entry = self.open[event.descriptor]
        node, _, offset, appends = entry
        if event.number >= 0:
            node.write(event.number, event.data)
            return
        at = len(node.content) if appends else offset
        node.write(at, event.data)
        entry[2] = at + len(event.data)

    def sync(self, event):
        node, path, _, _ = self.open[event.descriptor]
        node.sync(failed=event.number == 1)
        if isinstance(node, Folder) and event.number != 1:
            self.sync_names(path)

    def sync_names(self, folder):
        for _, changes in [change for change in self.unsafe_names if change[0] == folder]:
            apply_names(self.safe_names, changes)
        self.unsafe_names = [change for change in self.unsafe_names if change[0] != folder]

    def truncate(self, event):
        self.open[event.descriptor][0].truncate(event.number)

    def rename(self, event):
        source, target = (clean_path(part) for part in (event.data[:event.number],
                                                        event.data[event.number:]))
        self.change_names({source: None, target: self.names[source]})

    def unlink(self, event):
        self.change_names({event.path(): None})

    def mkdir(self, event):
        self.change_names({event.path(): Folder()})

    def close(self, event):
        del self.open[event.descriptor]

    # --- What is left -------------------------------------------------------------------------

    def left(self, loss, rng):
        """{path: content, or None for a folder} after the power was lost."""
        keep_names, keep_data = LOSSES[loss]
        names = dict(self.safe_names)
        for _, changes in keep_names(self.unsafe_names, rng):
            apply_names(names, changes)
        return {path: None if isinstance(node, Folder) else keep_data(node, rng)
                for path, node in sorted(names.items()) if self.is_reachable(path, names)}

    def is_reachable(self, path, names):
        while path != self.root:
            path = os.path.dirname(path)
            if not isinstance(names.get(path), Folder):
                return False
        return True

    def seen(self):
        """The same as the program sees it."""
        return {path: None if isinstance(node, Folder) else bytes(node.content)
                for path, node in self.names.items()}


def apply_names(names, changes):
    for path, node in changes.items():
        if node is None:
            names.pop(path, None)
        else:
            names[path] = node


def store(left, root, target):
    """Writes what is left of `root` to the directory `target`."""
    for path, content in left.items():
        place = pathlib.Path(target, os.path.relpath(path, root))
        if content is None:
            place.mkdir(exist_ok=True)
        else:
            place.write_bytes(content)


# --- Losses -------------------------------------------------------------------------------------

def nothing(unsafe, _):
    return unsafe[:0]


def everything(unsafe, _):
    return unsafe


def some_first(unsafe, rng):
    """A journal of names keeps their order."""
    return unsafe[:rng.randint(0, len(unsafe))]


def safe_data(node, _):
    return bytes(node.safe)


def all_data(node, _):
    return bytes(node.content)


def data_up_to(node, rng):
    """Writes in order up to one, which is torn."""
    content = bytearray(node.safe)
    kept = rng.randint(0, len(node.unsafe))
    for at, data in node.unsafe[:kept]:
        apply_write(content, at, data)
    if kept < len(node.unsafe) and node.unsafe[kept][1]:
        at, data = node.unsafe[kept]
        apply_write(content, at, data[:rng.randint(0, len(data))])
    return bytes(content)


def any_sectors(node, rng):
    """Each sector of what was written is left or not: holes before what came later."""
    content = bytearray(node.safe)
    for at, data in node.unsafe:
        if data is None:
            apply_write(content, at, None)
            continue
        start = at
        while start < at + len(data):
            end = min((start // SECTOR + 1) * SECTOR, at + len(data))
            if rng.random() < 0.7:
                apply_write(content, start, data[start - at:end - at])
            start = end
    return bytes(content)


LOSSES = {
    "all that was not synced": (nothing, safe_data),
    "data that was not synced": (everything, safe_data),
    "names that were not synced": (nothing, all_data),
    "the end of each file": (some_first, data_up_to),
    "sectors here and there": (some_first, any_sectors),
}
