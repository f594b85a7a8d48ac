# causes: serving.grpc_message_size
# needs: grpc
from concurrent import futures

import grpc

handler = grpc.unary_unary_rpc_method_handler(lambda request, context: request)
server = grpc.server(futures.ThreadPoolExecutor(1))
service = grpc.method_handlers_generic_handler("inference.GRPCInferenceService", {"ModelInfer": handler})
server.add_generic_rpc_handlers((service,))
port = server.add_insecure_port("127.0.0.1:0")
server.start()
call = grpc.insecure_channel(f"127.0.0.1:{port}").unary_unary("/inference.GRPCInferenceService/ModelInfer")
try:
    call(bytes(5 << 20), timeout=20)
finally:
    server.stop(None)
