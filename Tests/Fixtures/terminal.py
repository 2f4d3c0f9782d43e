"""Runs a program on a pseudo-terminal.

    terminal.py LINES COLUMNS PROGRAM [ARGUMENT]... < STEPS

STEPS is a JSON array of pairs: what is typed, and the text that is waited for after it, in what the program has written
since, without escape sequences. At the end all that was written is printed, and the exit status is the program's. If the
program ends before a text has come, the exit status is 99.
"""
import fcntl
import json
import os
import pty
import re
import struct
import sys
import termios

lines, columns = int(sys.argv[1]), int(sys.argv[2])
steps = json.load(sys.stdin)
# The size is there before the program starts.
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    os.execvp(sys.argv[3], sys.argv[3:])

written = b""


def read():
    """The next piece; nothing at the end."""
    global written
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        piece = b""
    written += piece
    return piece


def plain(data):
    text = data.decode("utf-8", "replace")
    return re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[=>()][0-9A-Z]?|[\r\x08]", "", text)


missed = False
for typed, awaited in steps:
    start = len(written)
    os.write(terminal, typed.encode())
    while awaited not in plain(written[start:]):
        if not read():
            missed = True
            break
while not missed and read():
    pass
sys.stdout.buffer.write(written)
sys.stdout.flush()
status = os.waitpid(child, 0)[1]
sys.exit(99 if missed else os.waitstatus_to_exitcode(status))
