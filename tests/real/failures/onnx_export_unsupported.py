# causes: onnx.export_unsupported_op
# needs: torch onnx
import torch


class Spectrum(torch.nn.Module):
    def forward(self, x):
        return torch.linalg.eigvals(x).real


torch.onnx.export(Spectrum(), (torch.randn(4, 4),), "spectrum.onnx", dynamo=False)
