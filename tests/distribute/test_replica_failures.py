"""Errors, interrupts and threads of their own among replicas of one process."""

import threading

import pytest

import cinta as tf
from tests.distribute.replicas import SUM, number, replica, strategy_of


@pytest.fixture
def two():
    return strategy_of(2)


def test_an_error_of_one_replica_ends_all():
    strategy, threads = strategy_of(4), threading.active_count()
    after = []

    def step():
        if int(replica().replica_id_in_sync_group) == 2:
            raise ZeroDivisionError("in replica 2")
        replica().all_reduce("SUM", 1.0)
        after.append(1)

    with pytest.raises(ZeroDivisionError, match="in replica 2"):
        strategy.run(step)
    assert not after
    assert threading.active_count() == threads
    assert not tf.distribute.has_strategy()


def test_replicas_that_do_not_meet_are_named():
    def returns():
        if int(replica().replica_id_in_sync_group) != 1:
            replica().all_reduce("SUM", 1.0)

    with pytest.raises(RuntimeError, match=r"replica 0 waits at all_reduce\(SUM\); replica 1 has"):
        strategy_of(3).run(returns)

    def elsewhere():
        mine = int(replica().replica_id_in_sync_group)
        replica().all_reduce("SUM" if mine else "MEAN", 1.0)

    with pytest.raises(RuntimeError, match="different places"):
        strategy_of(2).run(elsewhere)

    def first_returns():
        if int(replica().replica_id_in_sync_group):
            replica().all_reduce("SUM", 1.0)

    with pytest.raises(RuntimeError, match="replica 0 has returned"):
        strategy_of(2).run(first_returns)
    assert strategy_of(2).run(lambda: 5) == 5


def test_what_all_do_may_fail(two):
    with pytest.raises(tf.errors.InvalidArgumentError, match="different shapes"):
        two.run(lambda: replica().all_reduce("SUM", tf.zeros(int(number()) + 1)))
    with pytest.raises(RuntimeError, match="in the merge"):
        two.run(lambda: replica().merge_call(failing))
    assert two.run(lambda: replica().merge_call(lambda strategy: 3)) == 3


def failing(strategy):
    raise RuntimeError("in the merge")


def test_an_interrupt_ends_all(two):
    def step():
        if int(replica().replica_id_in_sync_group) == 0:
            raise KeyboardInterrupt
        replica().all_reduce("SUM", 1.0)

    threads = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        two.run(step)
    assert threading.active_count() == threads


def test_strategies_of_several_threads_are_apart():
    found = {}

    def train(count):
        strategy = strategy_of(count)
        with strategy.scope():
            v = tf.Variable(0.0, aggregation=SUM)
        for _ in range(20):
            strategy.run(lambda: v.assign_add(1.0))
        found[count] = v.numpy()

    threads = [threading.Thread(target=train, args=(count,)) for count in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {1: 20, 2: 40, 3: 60}
