"""Reports on disk, for a worker with the option `outbox`."""
import contextlib
import errno
import json
import os
import shutil
import uuid
import zlib

from .errors import WorkerError
from .messages import encode
from .reports import Report

#: A smaller file is not written anew.
COMPACT_BYTES = 1024 * 1024

try:
    import fcntl
except ImportError:  # Windows has no fcntl; only the outbox needs it.
    fcntl = None


class Journal:
    """Reports that RabbitMQ has not confirmed, in a file that survives the process.

    Each line has a checksum, so that a line that was cut by a kill is recognized. The file is written anew when most of
    its reports are confirmed. Each process has a folder of its own
    below the outbox and holds a lock on it. The operating system releases the lock of a killed process, and the next
    process takes over its reports.
    """

    def __init__(self, outbox, logger):
        if fcntl is None:
            raise WorkerError("An outbox needs file locks, which this operating system does not have.")
        self._outbox = outbox
        self._logger = logger
        try:
            os.makedirs(outbox, mode=0o700, exist_ok=True)
            self._folder = os.path.join(outbox, str(uuid.uuid4()))
            os.mkdir(self._folder, 0o700)
        except OSError as error:
            raise WorkerError(f"The outbox {outbox} cannot be written: {error.strerror}.") from error
        self._lock_file = self._locked(self._folder)
        self._file = open(os.path.join(self._folder, "reports"), "ab", buffering=0)
        self._size = 0
        self._is_failing = False
        self._kept = {}
        self._kept_bytes = 0
        #: The locks of folders whose reports could not be copied.
        self._adopted = {}

    @staticmethod
    def _locked(folder):
        """The open lock file of the folder, or None if another process holds it."""
        file = open(os.path.join(folder, "lock"), "a")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except OSError:
            file.close()
            return None

    def take_over(self):
        """The reports of processes that have ended, in their order."""
        reports = []
        for name in sorted(os.listdir(self._outbox)):
            folder = os.path.join(self._outbox, name)
            if folder == self._folder or not os.path.isdir(folder):
                continue
            with contextlib.suppress(FileNotFoundError):
                lock = self._locked(folder)
                if lock is None:
                    continue
                found = self._read(os.path.join(folder, "reports"))
                reports.extend(found)
                if all([self.add(report) for report in found]):
                    shutil.rmtree(folder)
                    lock.close()
                else:
                    self._adopted[folder] = lock
        return reports

    def _read(self, path):
        reports = {}
        if not os.path.exists(path):
            return []
        with open(path, "rb") as file:
            for line in file:
                checksum, _, text = line.rstrip(b"\n").partition(b" ")
                if not line.endswith(b"\n") or b"%08x" % zlib.crc32(text) != checksum:
                    self._logger.warning("A report in %s was cut by the end of its process and is left out.", path)
                    continue
                entry = json.loads(text)
                if "confirmed" in entry:
                    reports.pop(entry["confirmed"], None)
                else:
                    reports[entry["id"]] = Report(entry["type"], entry["body"], entry["id"], entry["is_end"])
        return list(reports.values())

    @staticmethod
    def _line(entry):
        text = encode(entry)
        return b"%08x %s\n" % (zlib.crc32(text), text)

    def _line_of(self, report):
        return self._line({"id": report.id, "type": report.type, "body": report.body, "is_end": report.is_end})

    def _write(self, line):
        """Returns whether it is on disk. A worker goes on with a full disk, so the error is logged once."""
        try:
            if self._file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(self._size)  # without the part of the line that was written
            if not self._is_failing:
                self._logger.error("The outbox %s cannot be written: %s. Further reports are kept in memory only.",
                                   self._outbox, error.strerror)
            self._is_failing = True
            return False
        self._size += len(line)
        if self._is_failing:
            self._logger.info("The outbox %s can be written again.", self._outbox)
        self._is_failing = False
        return True

    def add(self, report):
        """Returns whether it is on disk."""
        line = self._line_of(report)
        if not self._write(line):
            return False
        self._kept[report.id] = (report, len(line))
        self._kept_bytes += len(line)
        return True

    def confirm(self, report):
        _report, length = self._kept.pop(report.id, (None, 0))
        if not length:
            return
        self._kept_bytes -= length
        if self._kept:
            self._write(self._line({"confirmed": report.id}))
            if self._size > max(COMPACT_BYTES, 2 * self._kept_bytes):
                self._write_anew()
            return
        with contextlib.suppress(OSError):
            self._file.truncate(0)
            self._size = 0

    def _write_anew(self):
        path = os.path.join(self._folder, "reports")
        with contextlib.suppress(OSError):  # the file as it is has the same reports
            with open(f"{path}.unfinished", "wb") as file:
                file.writelines(self._line_of(report) for report, _length in self._kept.values())
            os.replace(file.name, path)
            self._file.close()
            self._file = open(path, "ab", buffering=0)
            self._size = self._kept_bytes

    def close(self):
        self._file.close()
        if not self._kept:
            shutil.rmtree(self._folder, ignore_errors=True)
        for lock in (self._lock_file, *self._adopted.values()):
            lock.close()
