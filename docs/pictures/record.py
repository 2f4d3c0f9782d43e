"""Makes the README's pictures, from what the program really does. `make pictures` runs it.

    record.py run OUT.svg COMMAND [ARGUMENT]...   a moving picture of the command on a terminal of 80 columns
    record.py page OUT.png < PAGE.html            the top of a page in a window, by Chromium
    record.py mail OUT.png < MESSAGE.eml          the top of a message on a phone, by Chromium
"""
import codecs
import email
import email.policy
import fcntl
import html
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata
import zlib

COLUMNS, ROWS = 80, 28
# Pixels of a character.
WIDTH, HEIGHT, MARGIN = 8.4, 19, 14
# Seconds: what comes within the first is one step; a longer wait than the second is cut to it; then it stands still.
STEP, LONGEST_WAIT, STILL = 0.05, 1.5, 8

# As whose the digest comes, in the picture of the mail.
SENDER = "pulse-digest"


class Unknown(Exception):
    """A sequence that the recorder does not know, and so cannot draw."""


class Screen:
    """What a terminal shows of what it is sent (ECMA-48). Rows that left the screen are kept."""

    SEQUENCE = re.compile(r"\x1b(?:\[([0-9;?]*)([@-~])|\]([^\x07\x1b]*)(?:\x07|\x1b\\)|([^\[\]]))")

    def __init__(self):
        self.rows = [[]]
        self.row = self.column = 0
        self.style = frozenset()
        self.pending = ""

    @property
    def top(self):
        return max(0, len(self.rows) - ROWS)

    def feed(self, text):
        text, self.pending = self.pending + text, ""
        place = 0
        while place < len(text):
            character = text[place]
            if character == "\x1b":
                found = self.SEQUENCE.match(text, place)
                if not found:
                    if len(text) - place > 4096:
                        raise Unknown(repr(text[place:place + 40]))
                    self.pending = text[place:]
                    return
                self.obey(found)
                place = found.end()
                continue
            self.put(character)
            place += 1

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.down()
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif ord(character) < 32 or character == "\x7f":
            raise Unknown(repr(character))
        elif unicodedata.combining(character) or unicodedata.category(character) == "Cf":
            row = self.rows[self.row]
            if self.column and self.column <= len(row):
                row[self.column - 1] = (row[self.column - 1][0] + character, self.style)
        else:
            wide = unicodedata.east_asian_width(character) in "WF"
            if self.column + 1 + wide > COLUMNS:
                self.column = 0
                self.down()
            row = self.rows[self.row]
            row.extend([(" ", frozenset())] * (self.column + 1 + wide - len(row)))
            row[self.column] = (character, self.style)
            if wide:
                row[self.column + 1] = ("", self.style)
            self.column += 1 + wide

    def down(self):
        self.row += 1
        if self.row == len(self.rows):
            self.rows.append([])

    def obey(self, found):
        parameters, final, string, _ = found.groups()
        if string is not None and string.startswith("8;"):
            return
        if final is None or "?" in parameters:
            raise Unknown(repr(found.group()))
        numbers = [int(number or 0) for number in parameters.split(";")]
        count = max(1, numbers[0])
        if final == "m":
            self.set(numbers, found.group())
        elif final == "A":
            self.row = max(self.top, self.row - count)
        elif final == "B":
            self.row = min(len(self.rows) - 1, self.row + count)
        elif final == "C":
            self.column = min(COLUMNS - 1, self.column + count)
        elif final == "D":
            self.column = max(0, self.column - count)
        elif final == "G":
            self.column = min(COLUMNS, count) - 1
        elif final == "H":
            line = max(1, numbers[0]) - 1
            self.column = min(COLUMNS, max(1, (numbers + [1])[1])) - 1
            self.row = self.top + min(line, ROWS - 1)
            self.rows.extend([] for _ in range(self.row + 1 - len(self.rows)))
        elif final == "J" and numbers[0] == 0:
            del self.rows[self.row][self.column:]
            del self.rows[self.row + 1:]
        elif final == "J" and numbers[0] == 2:
            for row in self.rows[self.top:]:
                row.clear()
        elif final == "K" and numbers[0] == 0:
            del self.rows[self.row][self.column:]
        elif final == "K" and numbers[0] == 2:
            self.rows[self.row].clear()
        else:
            raise Unknown(repr(found.group()))

    def set(self, numbers, sequence):
        names = {1: "bold", 2: "dim", 4: "under"}
        ends = {22: {"bold", "dim"}, 24: {"under"}, 39: {"colour"}}
        for number in numbers:
            if number == 0:
                self.style = frozenset()
            elif number in names:
                self.style |= {names[number]}
            elif number in ends:
                self.style -= ends[number]
            elif 30 <= number <= 37 or 90 <= number <= 97:
                self.style |= {"colour"}
            else:
                raise Unknown(repr(sequence))

    def words(self):
        """The words that stand there, each with its row and column and how it looks."""
        found = set()
        for number, row in enumerate(self.rows):
            start = 0
            for place in range(len(row) + 1):
                ends = place == len(row) or row[place][0] == " " or (
                    place > start and row[place][1] != row[start][1])
                if not ends:
                    continue
                if place > start:
                    found.add((number, start, "".join(cell[0] for cell in row[start:place]), place - start,
                               row[start][1]))
                start = place + 1 if place < len(row) and row[place][0] == " " else place
        return found


def run(command):
    """Runs a command on a terminal of its own. Returns what it wrote, each piece with its time in seconds."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PULSE_DIGEST_")}
        # What a make that runs this has set would show in what the command prints.
        for name in ["NO_COLOR", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"]:
            environment.pop(name, None)
        os.execvpe(command[0], command, environment | {"TERM": "xterm-256color"})
    start = time.monotonic()
    pieces = []
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    while True:
        select.select([terminal], [], [])
        try:
            data = os.read(terminal, 65536)
        except OSError:
            data = b""
        if not data:
            break
        pieces.append((time.monotonic() - start, decode(data)))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        sys.exit(f"{' '.join(command)}: exit status {status}\n" + "".join(text for _, text in pieces))
    return pieces


def moving_picture(typed, pieces):
    """The recording as SVG: each word with the time it stands there, and the screen's scrolling."""
    screen = Screen()
    # What is typed, as a shell would show it.
    for character in "$ " + typed + "\r\n":
        screen.put(character)
    now, last, cut = 0.8, pieces[0][0], 0.0
    since = {word: 0.0 for word in screen.words()}
    shown, tops = [], [(0.0, 0)]
    steps = []
    for when, text in pieces:
        wait = when - last
        last = when
        if wait > LONGEST_WAIT:
            cut += wait - LONGEST_WAIT
            wait = LONGEST_WAIT
        now += wait
        if steps and now - steps[-1][0] < STEP:
            steps[-1][1].append(text)
        else:
            steps.append((now, [text]))
    for now, texts in steps:
        screen.feed("".join(texts))
        words = screen.words()
        for word in set(since) - words:
            shown.append((since.pop(word), now, word))
        for word in words - set(since):
            since[word] = now
        if screen.top != tops[-1][1]:
            tops.append((now, screen.top))
    length = now + STILL
    shown += [(begun, None, word) for word, begun in since.items()]
    return draw(lines(shown), tops, length, cut)


def lines(shown):
    """Words of a row that come and go together, as one piece."""
    groups = {}
    for begun, ended, (row, column, text, width, style) in shown:
        groups.setdefault((begun, ended, row, style), []).append((column, text, width))
    pieces = []
    for (begun, ended, row, style), words in groups.items():
        for column, text, width in sorted(words):
            before = pieces[-1] if pieces else None
            if before and before[:4] == (begun, ended, row, style) and before[4] + before[6] + 1 == column:
                pieces[-1] = before[:5] + (before[5] + " " + text, column + width - before[4])
            else:
                pieces.append((begun, ended, row, style, column, text, width))
    return sorted(pieces, key=lambda piece: (piece[2], piece[4], piece[0]))


def draw(pieces, tops, length, cut):
    def share(moment):
        return f"{100 * moment / length:.2f}".rstrip("0").rstrip(".") + "%"

    names, rules, rows = {}, [], []
    for begun, ended, row, style, column, text, width in pieces:
        # A bar, which no font draws without gaps.
        is_bar = set(text) <= {"█", "▌"}
        marks = [mark[0] for mark in sorted(style)]
        if begun > 0 or ended is not None:
            key = (begun, ended)
            if key not in names:
                names[key] = f"k{len(names)}"
                steps = f"0%{{visibility:hidden}}{share(begun)}{{visibility:visible}}"
                steps += f"{share(ended)}{{visibility:hidden}}" if ended is not None else ""
                rules.append(f"@keyframes {names[key]}{{{steps}}}.{names[key]}{{animation-name:{names[key]}}}")
            marks += ["a" if ended is None else "g", names[key]]
        kind = f' class="{" ".join(marks)}"' if marks else ""
        if is_bar:
            size = WIDTH * (text.count("█") + text.count("▌") / 2)
            rows.append(f'<rect x="{column * WIDTH:g}" y="{row * HEIGHT + 2}" width="{size:g}" height="15"{kind}/>')
            continue
        # Whatever the font, a character is as wide as the next.
        fit = f' textLength="{width * WIDTH:.0f}"' if width > 3 else ""
        rows.append(f'<text x="{column * WIDTH:g}" y="{row * HEIGHT + 15}"{fit}{kind}>{html.escape(text, False)}</text>')
    scroll = "".join(f"{share(when)}{{transform:translateY({-top * HEIGHT}px)}}" for when, top in tops)
    width, height = round(COLUMNS * WIDTH + 2 * MARGIN), ROWS * HEIGHT + 2 * MARGIN
    caption = "A real run of “make demo”, " + (
        f"at its own speed but for {cut:.0f} seconds of waiting, which are left out." if cut >= 1 else
        "at its own speed.")
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 30}" width="{width}" \
height="{height + 30}" role="img" aria-label="A terminal in which make demo prints a digest as a model writes it">
<title>make demo</title>
<style>
svg{{--paper:#fff;--ink:#1f2328;--dim:#656d76;--edge:#d0d7de}}
@media(prefers-color-scheme:dark){{svg{{--paper:#0d1117;--ink:#e6edf3;--dim:#8b949e;--edge:#30363d}}}}
text{{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--ink);white-space:pre}}
g rect{{fill:var(--ink)}}.b{{font-weight:700}}.d{{fill:var(--dim)}}.u{{text-decoration:underline}}.c{{fill:#0969da}}
.caption{{font:13px system-ui,sans-serif;fill:var(--dim)}}
.a,.g,.s{{animation:{length:.2f}s step-end infinite}}.g{{visibility:hidden}}
.s{{transform:translateY({-tops[-1][1] * HEIGHT}px);animation-name:s}}@keyframes s{{{scroll}}}
{"".join(rules)}
@media(prefers-reduced-motion:reduce){{.a,.g,.s{{animation:none}}}}
</style>
<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8" fill="var(--paper)" stroke="var(--edge)"/>
<svg x="{MARGIN}" y="{MARGIN}" width="{width - 2 * MARGIN}" height="{ROWS * HEIGHT}"><g class="s">
{chr(10).join(rows)}
</g></svg>
<text class="caption" x="{MARGIN}" y="{height + 20}">{caption}</text>
</svg>
"""


def photograph(out, page, width, height, scale):
    """Has Chromium draw a page into a file."""
    browser = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
    if not browser:
        sys.exit("There is no Chromium here, which draws these pictures. On Debian: apt install chromium")
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/page.html", "w", encoding="utf-8") as file:
            file.write(page)
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-lcd-text",
             f"--user-data-dir={folder}/profile", f"--force-device-scale-factor={scale}",
             "--default-background-color=00000000", f"--window-size={width},{height}",
             f"--screenshot={os.path.abspath(out)}", f"file://{folder}/page.html"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    with open(out, "rb") as file:
        small = with_palette(file.read())
    with open(out, "wb") as file:
        file.write(small)


def with_palette(picture):
    """A PNG of 8 bits a channel as one of at most 256 colours, a quarter of its size. Text needs no more."""
    place, data, header = 8, b"", b""
    while place < len(picture):
        size, kind = struct.unpack(">I4s", picture[place:place + 8])
        content = picture[place + 8:place + 8 + size]
        header = content if kind == b"IHDR" else header
        data += content if kind == b"IDAT" else b""
        place += 12 + size
    width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    if depth != 8 or colours not in (2, 6) or interlaced:
        return picture
    # PNG (third edition), 9.2: each row is written as what it differs from its neighbours.
    step = 4 if colours == 6 else 3
    raw, above, palette, rows = zlib.decompress(data), bytes(width * step), {}, []
    for number in range(height):
        start = number * (width * step + 1)
        way, row = raw[start], bytearray(raw[start + 1:start + 1 + width * step])
        for i in range(len(row) if way else 0):
            left, up = row[i - step] if i >= step else 0, above[i]
            corner = above[i - step] if i >= step else 0
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            row[i] = row[i] + (0, left, up, (left + up) // 2, nearest)[way] & 255
        above = row
        # Sixteen shades a channel.
        shades = [tuple((value + 8) // 17 * 17 for value in row[i:i + step]) for i in range(0, len(row), step)]
        rows.append(b"\0" + bytes(palette.setdefault(shade, len(palette)) & 255 for shade in shades))
    if len(palette) > 256:
        return picture
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
             (b"PLTE", b"".join(bytes(shade[:3]) for shade in palette))]
    if step == 4:
        parts.append((b"tRNS", bytes(shade[3] for shade in palette)))
    parts += [(b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b"")]
    return picture[:8] + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in parts)


def framed(page, width, height, above=""):
    """A page in a frame, as a window or a phone shows it."""
    frame = html.escape(page, True)
    return f"""<!doctype html><meta charset="utf-8"><style>
body{{margin:0;padding:8px;font:15px system-ui,"DejaVu Sans",sans-serif}}
div{{width:{width}px;height:{height}px;border:1px solid #8b949e;border-radius:14px;overflow:hidden;background:#fff}}
p{{margin:0;padding:10px 16px;border-bottom:1px solid #d0d7de;color:#1f2328}}p b{{display:block}}
iframe{{width:100%;height:100%;border:0}}
</style><div>{above}<iframe srcdoc="{frame}"></iframe></div>"""


def main(kind, out, *command):
    if kind == "run":
        picture = moving_picture(" ".join(command), run(command))
        with open(out, "w", encoding="utf-8") as file:
            file.write(picture)
    elif kind == "page":
        photograph(out, framed(sys.stdin.read(), 880, 640), 898, 658, 2)
    elif kind == "mail":
        message = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
        above = f"<p>{html.escape(SENDER)}<b>{html.escape(message['subject'])}</b></p>"
        page = message.get_body(("html",)).get_content()
        photograph(out, framed(page, 390, 760, above), 408, 778, 2)
    else:
        sys.exit(__doc__)
    print(f"{out}: {os.path.getsize(out) // 1024} KiB")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
