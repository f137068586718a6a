"""A stand-in engine for tests: speaks DXP, version 01, for English draughts on 32 squares.

    python3 dxp_engine.py follow [MODE]         waits for connections; prints the port that it has chosen
    python3 dxp_engine.py initiate PORT SIDE    connects to a port, and requests a game in which it plays SIDE, W or Z

Plays the first of its legal moves, and exits after the game that it initiated. A MODE is a way to fail."""

import socket
import sys
import time

from english import START, legal, play

NAME = "Stand In DXP".ljust(32)
SIDES = {"W": "W", "Z": "B"}


def read_position(text):
    side, squares = text[0], text[1:]
    assert len(squares) == 32, squares
    pieces = {n: piece.replace("z", "b").replace("Z", "B") for n, piece in enumerate(squares, 1) if piece != "e"}
    return SIDES[side], pieces


class Peer:
    def __init__(self, connection):
        self.connection = connection
        self.buffer = b""

    def send(self, message):
        assert 1 <= len(message) <= 127
        self.connection.sendall(message.encode("ascii") + b"\0")

    def receive(self):
        """The next message; None when the connection is closed."""
        while b"\0" not in self.buffer:
            try:
                read = self.connection.recv(4096)
            except ConnectionResetError:  # The other was killed before it read everything.
                return None
            if not read:
                return None
            self.buffer += read
        message, self.buffer = self.buffer.split(b"\0", 1)
        return message.decode("ascii")


def send_move(peer, position):
    start, landings, captured = move = legal(*position)[0]
    peer.send(f"M0001{start:02}{landings[-1]:02}{len(captured):02}" + "".join(f"{n:02}" for n in captured))
    return play(*position, move)


def hear_move(message, position):
    start, to, count = int(message[5:7]), int(message[7:9]), int(message[9:11])
    captured = {int(message[n : n + 2]) for n in range(11, 11 + 2 * count, 2)}
    for move in legal(*position):
        if (move[0], move[1][-1], set(move[2])) == (start, to, captured):
            return play(*position, move)
    raise ValueError(f"{message} is not legal in {position}")


def game(peer, position, side, mode=""):
    """Plays as a side until the other ends the game. Says how many moves it heard."""
    heard = 0
    while True:
        if position[0] == side:
            if mode == "slow" and len(position[1]) == 20:
                time.sleep(3)
            position = send_move(peer, position)
        message = peer.receive()
        if message is None:
            return heard
        if message[0] == "E":
            peer.send("E00")
            return heard
        if message[0] == "M":
            position = hear_move(message, position)
            heard += 1


def follow(mode):
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        peer = Peer(connection)
        while (message := peer.receive()) is not None:
            if message[0] != "R":
                continue
            assert message[1:3] == "01" and len(message) == 1 + 2 + 32 + 1 + 3 + 3 + 1 + 33, message
            side, position = SIDES[message[35]], read_position(message[43:])
            if mode == "refuses":
                peer.send(f"A{NAME}2")
                continue
            peer.send("CHello from the engine")
            peer.send(f"A{NAME}0")
            if mode == "gives-up":
                peer.send("E10")
                continue
            if mode == "closes":
                connection.close()
                break
            heard = game(peer, position, side, mode)
            print(f"game over, {heard} moves heard", flush=True)


def initiate(port, side):
    for _ in range(6000):
        try:
            connection = socket.create_connection(("127.0.0.1", port))
            # The system may choose this port as that of the connection too, which then is one to itself.
            if connection.getsockname() != connection.getpeername():
                break
            connection.close()
        except ConnectionRefusedError:
            time.sleep(0.01)
    peer = Peer(connection)
    other = "Z" if side == "W" else "W"
    peer.send(f"R01{NAME}{other}005000A")
    answer = peer.receive()
    assert answer is not None and answer[0] == "A" and len(answer) == 34, answer
    if answer[33] != "0":
        print(f"refused {answer[33]}", flush=True)
        return
    heard = game(peer, START, SIDES[side])
    print(f"game over, {heard} moves heard", flush=True)


if sys.argv[1] == "follow":
    follow(sys.argv[2] if len(sys.argv) > 2 else "")
else:
    initiate(int(sys.argv[2]), sys.argv[3])
