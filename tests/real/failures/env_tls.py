# causes: env.network
# needs:
# tools: openssl
import pathlib
import ssl
import socket
import subprocess
import tempfile
import threading
import urllib.request

with tempfile.TemporaryDirectory() as folder:
    key, cert = pathlib.Path(folder, "k.pem"), pathlib.Path(folder, "c.pem")
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*request, "-keyout", key, "-out", cert], check=True, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    server = socket.create_server(("127.0.0.1", 0))

    def answer():
        try:
            context.wrap_socket(server.accept()[0], server_side=True)
        except OSError:
            pass

    threading.Thread(target=answer, daemon=True).start()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    opener.open(f"https://localhost:{server.getsockname()[1]}/model.safetensors")
