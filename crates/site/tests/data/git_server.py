"""Serves the git repositories below a directory over HTTPS on the loopback, by `git http-backend`.

usage: git_server.py DIRECTORY CERTIFICATE KEY
prints its port. What is below /away/ is redirected to the same path without it. What is below /private/ is that for
the user `red` with the password `s3cret`.
"""

import base64
import http.server
import os
import ssl
import subprocess
import sys

root, certificate, key = map(os.path.abspath, sys.argv[1:])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        if self.path.startswith("/away/"):
            self.send_response(302)
            self.send_header("location", self.path.removeprefix("/away"))
            self.send_header("content-length", "0")
            self.end_headers()
            return
        path, _, query = self.path.partition("?")
        if path.startswith("/private/"):
            expected = "Basic " + base64.b64encode(b"red:s3cret").decode()
            if self.headers.get("authorization") != expected:
                self.send_response(401)
                self.send_header("www-authenticate", "Basic realm=\"git\"")
                self.send_header("content-length", "0")
                self.end_headers()
                return
            path = path.removeprefix("/private")
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        variables = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": root,
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("content-type") or "",
            "CONTENT_LENGTH": str(len(body)),
            "GIT_PROTOCOL": self.headers.get("git-protocol") or "",
            "HTTP_CONTENT_ENCODING": self.headers.get("content-encoding") or "",
        }
        done = subprocess.run(["git", "http-backend"], input=body, env=variables, capture_output=True)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        lines = [line.split(": ", 1) for line in head.decode().split("\r\n")]
        fields = {name.lower(): value for name, value in lines}
        self.send_response(int(fields.pop("status", "200").split()[0]))
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
