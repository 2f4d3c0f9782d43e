"""An RPC server of the ggml in a folder, behind a relay that prints its port and may fail: `rpc-server.py LIBRARIES
COMPUTATIONS CONNECTIONS MEMORY`. After so many computations or connections the next is cut, and nothing answers any
more. It says that so many bytes of memory are free, unless MEMORY is 0: then it tells the truth.
`rpc-server.py nonsense` is no such server, and answers all the same."""
import contextlib, ctypes, os, socket, sys, threading, time

if sys.argv[1] == "nonsense":
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        while True:
            client = listener.accept()[0]
            client.recv(1 << 10)
            client.sendall(b"220 ready for something else entirely")
            client.close()

libraries, left, connections, memory = sys.argv[1], *map(int, sys.argv[2:])
# The server's own words go nowhere.
output = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
P = ctypes.c_void_p
suffix = ".dylib" if sys.platform == "darwin" else ".so"
base = ctypes.CDLL(f"{libraries}/libggml-base{suffix}", ctypes.RTLD_GLOBAL)
ggml = ctypes.CDLL(f"{libraries}/libggml{suffix}", ctypes.RTLD_GLOBAL)


def function(library, name, result, *arguments):
    found = getattr(library, name)
    found.restype, found.argtypes = result, arguments
    return found


registry = function(ggml, "ggml_backend_reg_by_name", P, ctypes.c_char_p)(b"RPC")
processor = function(ggml, "ggml_backend_dev_by_type", P, ctypes.c_int)(0)
address = function(base, "ggml_backend_reg_get_proc_address", P, P, ctypes.c_char_p)(
    registry, b"ggml_backend_rpc_start_server")
serve = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.POINTER(P))(
    address)

with socket.create_server(("127.0.0.1", 0)) as free:
    inner = free.getsockname()[1]
devices = (P * 1)(processor)
threading.Thread(target=serve, args=(f"127.0.0.1:{inner}".encode(), None, 1, 1, devices), daemon=True).start()


def read(source, count):
    data = b""
    while len(data) < count:
        part = source.recv(min(count - len(data), 1 << 16))
        if not part:
            raise EOFError
        data += part
    return data


def answers(server, client):
    try:
        while part := server.recv(1 << 16):
            client.sendall(part)
    except OSError:
        pass


def connected():
    # For a minute: another program may have taken the port.
    for _ in range(6000):
        try:
            return socket.create_connection(("127.0.0.1", inner))
        except OSError:
            time.sleep(0.01)
    sys.exit("no server at the port")


connected().close()
outer = socket.create_server(("127.0.0.1", 0))
print(outer.getsockname()[1], file=output, flush=True)
while True:
    client = outer.accept()[0]
    connections -= 1
    if connections < 0:
        os._exit(1)
    server = connected()
    threading.Thread(target=answers, args=(server, client), daemon=True).start()
    try:
        while True:
            # ggml-rpc.cpp: a command, the length of what follows, and that; 10 and 16 compute.
            head = read(client, 9)
            if head[0] in (10, 16):
                left -= 1
                if left < 0:
                    os._exit(1)
            request = head + read(client, int.from_bytes(head[1:], "little"))
            if head[0] == 11 and memory:
                # How much is free, and how much there is.
                client.sendall(b"".join(number.to_bytes(8, "little") for number in (16, memory, memory)))
            else:
                server.sendall(request)
    except (EOFError, OSError):
        # The thread that reads from the server lets go of it only then.
        with contextlib.suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
        server.close()
        client.close()
