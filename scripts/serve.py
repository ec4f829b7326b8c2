"""Serves a folder on this computer only, as a plain host does, and prints its address: scripts/serve.py FOLDER PORT.

If the port is in use, another one is taken. QIJU_BELOW=/a/path serves the folder below this path. QIJU_SLOW=0.5 waits half a second before each file
below data/, as a slow connection would.
"""

import functools
import http.server
import os
import sys
import time


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }
    slow = float(os.environ.get("QIJU_SLOW", "0"))
    below = os.environ.get("QIJU_BELOW", "").rstrip("/")

    def translate_path(self, path):
        if self.below:
            if not path.startswith(self.below + "/"):
                return os.path.join(self.directory, "there is no such file")
            path = path[len(self.below):]
        return super().translate_path(path)

    def do_GET(self):
        if "/data/" in self.path:
            time.sleep(self.slow)
        super().do_GET()

    def end_headers(self):
        # A page that was built again is seen at once.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_):
        pass


def main():
    folder, port = sys.argv[1], int(sys.argv[2])
    handler = functools.partial(Handler, directory=folder)
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    with server:
        print(f"http://127.0.0.1:{server.server_address[1]}{Handler.below}/", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


main()
