"""An SMTP server on the loopback that keeps each message, taken apart by Python's own email library, as JSON.

    smtp-sink.py FOLDER     prints its port; FOLDER/1.json is the first message
"""
import asyncio
import email
import email.policy
import json
import os
import sys

from aiosmtpd.smtp import SMTP


class Sink:
    def __init__(self, folder):
        self.folder = folder
        self.count = 0

    async def handle_DATA(self, server, session, envelope):
        raw = envelope.original_content or envelope.content
        message = email.message_from_bytes(raw, policy=email.policy.default)
        parts = [part for part in message.walk() if not part.is_multipart()]
        self.count += 1
        path = os.path.join(self.folder, f"{self.count}.json")
        with open(path + ".new", "w") as file:
            json.dump(
                {
                    "recipients": envelope.rcpt_tos,
                    "headers": {name: str(value) for name, value in message.items()},
                    "names": [address.display_name for address in message["To"].addresses],
                    "type": message.get_content_type(),
                    "types": [part.get_content_type() for part in parts],
                    "attachments": len([part for part in message.walk() if part.is_attachment()]),
                    "texts": [part.get_content() for part in parts],
                    "defects": [repr(defect) for part in message.walk() for defect in part.defects],
                    "longest": max(len(line) for line in raw.splitlines()),
                },
                file)
        os.rename(path + ".new", path)
        return "250 OK"


async def main():
    sink = Sink(sys.argv[1])
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(sink, hostname="localhost"), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
