# %% [markdown]
# # Ratings completed by L-BFGS
#
# People rate a few films each. If a few factors determine people's tastes, the table of all ratings
# is nearly a product of two thin matrices, and the known ratings determine these.
# `tf.optimize.minimize` hands the loss and its exact gradient to SciPy's L-BFGS.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

PEOPLE, FILMS, RANK = 120, 80, 3
ITERATIONS = 300  # in tests: 60

rng = np.random.default_rng(1)
truth = rng.normal(size=(PEOPLE, RANK)) @ rng.normal(size=(RANK, FILMS))
known = rng.random((PEOPLE, FILMS)) < 0.25
where = tf.constant(np.argwhere(known))
ratings = tf.constant(truth[known] + 0.05 * rng.normal(size=known.sum()))

# %% [markdown]
# The parameters are a dictionary of two matrices; the result has the same structure.

# %%


def loss(p):
    people = tf.gather(p["people"], where[:, 0])
    films = tf.gather(p["films"], where[:, 1])
    error = tf.reduce_sum(people * films, axis=1) - ratings
    size = tf.reduce_sum(p["people"] ** 2) + tf.reduce_sum(p["films"] ** 2)
    return tf.reduce_sum(error**2) + 0.02 * size


start = {
    "people": tf.constant(rng.normal(size=(PEOPLE, RANK))),
    "films": tf.constant(rng.normal(size=(FILMS, RANK))),
}
found = tf.optimize.minimize(loss, start, method="L-BFGS-B", options={"maxiter": ITERATIONS})
completed = (found.x["people"] @ tf.transpose(found.x["films"])).numpy()
error = np.sqrt(np.mean((completed - truth)[~known] ** 2))
print(f"{known.mean():.0%} of the ratings are known; the others are found up to {error:.3f}")
print(f"their standard deviation is {truth.std():.3f}; {found.nit} iterations")

# %%
figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), sharey=True)
tables = {"known": np.where(known, truth, np.nan), "completed": completed, "true": truth}
for axis, (title, table) in zip(axes, tables.items(), strict=True):
    axis.imshow(table, cmap="RdBu", vmin=-4, vmax=4, aspect="auto")
    axis.set(title=title, xlabel="film")
axes[0].set_ylabel("person")
plt.show()
