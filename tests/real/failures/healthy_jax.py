# causes: none
# needs: jax
import jax
import jax.numpy as jnp

step = jax.jit(jax.value_and_grad(lambda w, x: jnp.sum((x @ w) ** 2)))
w = jnp.ones((3, 2))
for i in range(3):
    loss, grad = step(w, jnp.ones((4, 3)))
    w = w - 0.01 * grad
    print(i, loss)
print(jax.devices())
