"""Downloads a file on several connections at once and has the kernel throw the bytes away: MSG_TRUNC (tcp(7)) takes
them from the socket without a copy, as a network card would. A client that copies is slower than the servers, and on
one machine it takes the processor from them. Node cannot ask for this. `discard.py URL SIZE CONNECTIONS` prints the
seconds from the first request to the last byte."""

import select
import socket
import sys
import time
from urllib.parse import urlsplit


def main(url, size, connections):
    address = urlsplit(url)
    server = (address.hostname, address.port)
    request = f"GET {address.path} HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: close\r\n\r\n".encode()
    sockets = [socket.create_connection(server) for _ in range(connections)]
    start = time.perf_counter()
    for each in sockets:
        each.sendall(request)
    missing = {each.fileno(): (each, size) for each in sockets}
    for each in sockets:
        read_head(each, size)
    read_bodies(missing)
    print(time.perf_counter() - start)


def read_head(connection, size):
    head = b""
    while b"\r\n\r\n" not in head:
        connection.recv(1, socket.MSG_PEEK)
        head = connection.recv(16384, socket.MSG_PEEK)
    head = head[: head.index(b"\r\n\r\n") + 4]
    connection.recv(len(head))
    if not head.startswith(b"HTTP/1.1 200 ") or f"\r\ncontent-length: {size}\r\n".encode() not in head.lower():
        sys.exit(f"the answer was {head.decode('latin-1')}")


def read_bodies(missing):
    unused = bytearray(1 << 22)
    waiting = select.epoll()
    for number in missing:
        waiting.register(number, select.EPOLLIN)
    while missing:
        for number, _ in waiting.poll():
            connection, left = missing[number]
            came = connection.recv_into(unused, min(left, len(unused)), socket.MSG_TRUNC)
            if came == 0:
                sys.exit(f"a download ended {left} bytes too early")
            missing[number] = (connection, left - came)
            if left == came:
                waiting.unregister(number)
                del missing[number]


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
