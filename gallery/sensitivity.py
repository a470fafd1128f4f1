# %% [markdown]
# # How a simulation depends on its numbers
#
# An epidemic is simulated day by day. How would its peak change if its parameters were a little
# different? One forward pass gives the derivative by one parameter; one backward pass gives the
# derivatives by all of them; and Newton's method turns the question around: which contact rate
# gives the peak that was observed?

# %%
import matplotlib.pyplot as plt

import cinta as tf

DAYS = 160  # in tests: 40
PARTS = 2  # steps in a day


@tf.function
def epidemic(p):
    """The ill on each day, as a part of all people."""
    healthy, ill = 1 - p["first"], p["first"]
    course = []
    for _ in range(DAYS):
        for _ in range(PARTS):
            new = p["contact"] * healthy * ill / PARTS
            healthy, ill = healthy - new, ill + new - p["recovery"] * ill / PARTS
        course.append(ill)
    return tf.stack(course)


numbers = {
    "contact": tf.constant(0.30, tf.float64),
    "recovery": tf.constant(0.10, tf.float64),
    "first": tf.constant(0.001, tf.float64),
}

# %% [markdown]
# The Jacobian has a curve for each parameter, which says how the number of the ill changes with it,
# day by day. We scale it to *an increase of the parameter by one percent*.

# %%
course = epidemic(numbers)
slopes = tf.jacobian(epidemic)(numbers)
answers = {name: 0.01 * float(numbers[name]) * slopes[name].numpy() for name in numbers}


def peak(p):
    return tf.reduce_max(epidemic(p))


for name, slope in tf.grad(peak)(numbers).items():
    print(
        f"one percent more {name}: the peak changes by {0.01 * float(slope * numbers[name]):+.6f}"
    )

# %% [markdown]
# Suppose that twenty percent were ill at the peak. Which contact rate was it?

# %%
contact = tf.constant(0.30, tf.float64)


def excess(contact):
    return peak(numbers | {"contact": contact}) - 0.20


for _ in range(6):
    value, slope = tf.value_and_grad(excess)(contact)
    contact = contact - value / slope
print(f"contact rate {float(contact):.6f}: peak {float(excess(contact)) + 0.2:.6f}")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
left.plot(course, label="contact 0.30")
left.plot(epidemic(numbers | {"contact": contact}), label=f"contact {float(contact):.3f}")
left.axhline(0.2, color="gray", lw=0.8, ls="--")
left.set(xlabel="day", title="part of the people who are ill")
left.legend()
for name, answer in answers.items():
    right.plot(answer, label=name)
right.set(xlabel="day", title="change by one percent more")
right.legend()
plt.show()
