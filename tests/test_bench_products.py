"""The benchmark of products compares kernels of OpenBLAS, and steps while the cores are busy."""

from bench import products


def test_every_product_has_a_rate_by_each_choice_of_kernels():
    found = products.rates(["Nehalem"], rounds=1)
    assert [*found] == ["Nehalem", products.OWN]
    assert all(len(rates) == len(products.PRODUCTS) for rates in found.values())
    assert min(map(min, found.values())) > 0.0


def test_steps_are_timed_with_products_that_are_timed_and_without():
    with products.busy(1):
        found = products.steps(rounds=1, each=2)
    assert {name: len(times) for name, times in found.items()} == dict.fromkeys(products.STEPS, 2)
