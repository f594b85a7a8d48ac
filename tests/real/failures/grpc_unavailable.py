# causes: serving.grpc_unavailable
# needs: grpc
import socket

import grpc

with socket.create_server(("127.0.0.1", 0)) as server:
    port = server.getsockname()[1]
channel = grpc.insecure_channel(f"127.0.0.1:{port}")
call = channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
call(b"request", timeout=5)
