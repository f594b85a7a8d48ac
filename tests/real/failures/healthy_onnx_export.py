# causes: none
# needs: torch onnx onnxruntime
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 1:
            return x * int(x.sum() > 0)
        return x


torch.onnx.export(Net(), (torch.ones(2, 2),), "net.onnx", dynamo=False, verbose=True)
import onnxruntime as ort

session = ort.InferenceSession("net.onnx", providers=["CPUExecutionProvider"])
print(session.run(None, {session.get_inputs()[0].name: torch.ones(2, 2).numpy()}))
