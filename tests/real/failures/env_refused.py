# causes: env.network serving.grpc_unavailable
# needs: httpx2
import socket

import httpx2

with socket.create_server(("127.0.0.1", 0)) as server:
    port = server.getsockname()[1]
httpx2.Client(trust_env=False).get(f"http://127.0.0.1:{port}/api/models/gpt2")
