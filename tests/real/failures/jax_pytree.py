# causes: jax.pytree_or_shape
# needs: jax
import jax

jax.tree.map(lambda a, b: a + b, {"w": 1.0, "b": 2.0}, {"w": 1.0})
