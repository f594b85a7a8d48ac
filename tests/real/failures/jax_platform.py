# causes: jax.no_gpu_fallback device.backend_unavailable
# needs: jax
import jax

jax.config.update("jax_platforms", "cuda")
print(jax.devices())
