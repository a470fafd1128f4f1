"""Tensors that are given: their attributes, Keras's masks, and whether they are the same one."""

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change


@change
def the_mask_of_an_argument():
    lstm = tf.keras.layers.SimpleRNN(2, kernel_initializer="ones", recurrent_initializer="ones")
    lstm.build((1, 3, 1))

    def given(mask):
        x = tf.ones([1, 3, 1])
        x._keras_mask = mask
        return x

    yield (lambda x: lstm(x), given(tf.constant([[True, True, False]])))
    yield given(tf.constant([[True, False, False]]))


@change
def the_mask_of_an_argument_that_has_none():
    pool = tf.keras.layers.GlobalAveragePooling1D()
    x0 = tf.constant([[[1.0], [2.0], [6.0]]])
    x1 = tf.constant([[[1.0], [2.0], [6.0]]])
    x1._keras_mask = tf.constant([[True, True, False]])
    yield (lambda x: pool(x), x0)
    yield x1


@change
def the_mask_of_a_captured_tensor():
    pool = tf.keras.layers.GlobalAveragePooling1D()
    t = tf.constant([[[1.0], [2.0], [6.0]]])
    yield lambda x: pool(t) * x
    t._keras_mask = tf.constant([[True, True, False]])
    yield


@change
def an_attribute_of_a_tensor_argument():
    x0, x1 = (tf.constant(1.5), tf.constant(1.5))
    x0.k, x1.k = (2.0, 3.0)
    yield lambda x: x * x.k, x0
    yield x1


@change
def an_attribute_of_a_captured_tensor():
    t = tf.constant(2.0)
    t.k = 2.0
    yield lambda x: x * t * t.k
    t.k = 3.0
    yield


@change
def a_variable_of_no_fixed_shape():
    v = tf.Variable([1.0, 2.0], shape=tf.TensorShape(None))
    yield lambda x: x * tf.reduce_sum(v)
    v.assign([1.0, 2.0, 3.0])
    yield


@change
def a_variable_of_no_fixed_shape_that_python_measures():
    v = tf.Variable([1.0, 2.0], shape=tf.TensorShape([None]))
    yield lambda x: x * float(v.read_value().shape[0])
    v.assign([1.0, 2.0, 3.0])
    yield


@change
def a_variable_argument_that_grows():
    v = tf.Variable([1.0, 2.0], shape=tf.TensorShape([None]))
    yield (lambda v: tf.reduce_sum(v) * float(tf.shape(v)[0]), v)
    v.assign([1.0, 2.0, 3.0])
    yield v


@change
def two_variables_of_which_one_is_captured():
    v, w = (tf.Variable(1.0), tf.Variable(1.0))

    def f(u):
        u.assign_add(1.0)
        return v * 1.0

    yield (f, w)
    yield v


@change
def whether_an_argument_is_the_captured_variable():
    v, w = (tf.Variable(1.0), tf.Variable(1.0))
    yield (lambda u: u * (2.0 if u is v else 3.0), w)
    yield v


@change
def whether_two_tensors_are_one():
    a, b = (tf.ones(2), tf.ones(2))
    yield lambda p, q: 2.0 * p if p is q else 3.0 * p, a, a
    yield (a, b)


@change
def whether_an_argument_is_the_captured_tensor():
    a, b = (tf.ones(2), tf.ones(2))
    yield lambda p: 2.0 * p if p is a else 3.0 * p, a
    yield b


@change
def whether_an_argument_object_is_the_captured_one():
    a, b = (Box(k=1.0), Box(k=1.0))
    yield (lambda x, p: 2.0 * x if p is a else 3.0 * x, tf.constant(1.0), b)
    yield (tf.constant(1.0), a)


@change
def a_table_by_reference_of_variables():
    v, w = (tf.Variable(1.0), tf.Variable(1.0))
    table = {v.ref(): 2.0, w.ref(): 3.0}
    yield lambda x: x * table[v.ref()]
    table[v.ref()] = 4.0
    yield


@change
def a_table_by_reference_of_an_argument():
    v, w = (tf.Variable(1.0), tf.Variable(1.0))
    table = {v.ref(): 2.0, w.ref(): 3.0}
    yield lambda u: u * table[u.ref()], v
    yield w


@change
def a_tensor_over_an_array_given():
    a = np.ones(20000, np.float32)
    t = tf.constant(a)
    yield (lambda t: tf.reduce_sum(t), t)
    a[0] = 5.0
    yield tf.constant(a)


@change
def a_tensor_array_kept():
    b = Box(ta=tf.TensorArray(tf.float32, 1, clear_after_read=False).write(0, 2.0))
    yield lambda x: x * b.ta.read(0)
    b.ta = tf.TensorArray(tf.float32, 1, clear_after_read=False).write(0, 3.0)
    yield


@change
def a_ragged_tensor_in_an_object():
    b = Box(r=tf.ragged.constant([[1.0], [2.0, 3.0]]))
    yield lambda x: x * tf.reduce_sum(b.r)
    b.r = tf.ragged.constant([[1.0], [2.0, 5.0]])
    yield


@change
def slices_in_an_object():
    b = Box(s=tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]), (2,)))
    yield lambda x: x * tf.convert_to_tensor(b.s)
    b.s = tf.IndexedSlices(tf.constant([1.0]), tf.constant([1]), (2,))
    yield


@change
def a_variable_that_gets_a_constraint():
    v = tf.Variable(2.0)
    v.limit = 10.0
    yield lambda x: tf.minimum(v * x, v.limit)
    v.limit = 1.0
    yield


@change
def a_mask_from_an_embedding():
    emb = tf.keras.layers.Embedding(5, 2, mask_zero=True, embeddings_initializer="ones")
    emb.build(())
    pool = tf.keras.layers.GlobalAveragePooling1D()
    emb.embeddings.assign(np.arange(10, dtype=np.float32).reshape(5, 2))
    yield (lambda e: pool(e), emb(tf.constant([[1, 2, 0]])))
    yield emb(tf.constant([[1, 0, 0]]))
    yield tf.identity(emb(tf.constant([[1, 0, 0]])))


@change
def attention_over_a_masked_argument():
    mha = tf.keras.layers.MultiHeadAttention(1, 2, kernel_initializer="ones")
    emb = tf.keras.layers.Embedding(5, 2, mask_zero=True)
    emb.build(())
    emb.embeddings.assign(np.arange(10, dtype=np.float32).reshape(5, 2))
    mha(tf.ones([1, 3, 2]), tf.ones([1, 3, 2]))
    e = [emb(tf.constant([[1, 2, 0]])) for _ in range(10)]
    yield (lambda e: mha(e, e), e[0])
    yield e[1]
    yield e[2]


@change
def a_mask_under_a_loss():
    loss = tf.keras.losses.MeanSquaredError()
    p = tf.constant([[[1.0], [2.0], [6.0]]])
    q = tf.constant([[[1.0], [2.0], [6.0]]])
    q._keras_mask = tf.constant([[True, True, False]])
    yield (lambda p: loss(tf.zeros([1, 3, 1]), p), p)
    yield q


@change
def a_mask_in_a_dictionary_of_arguments():
    pool = tf.keras.layers.GlobalAveragePooling1D()
    p = tf.constant([[[1.0], [2.0], [6.0]]])
    q = tf.constant([[[1.0], [2.0], [6.0]]])
    q._keras_mask = tf.constant([[True, True, False]])
    yield (lambda d: pool(d["a"][0]), {"a": [p]})
    yield {"a": [q]}


@change
def an_attribute_set_inside():
    x = tf.constant(2.0)

    def f(x):
        n = getattr(x, "n", 0)
        x.n = n + 1
        return x * float(x.n)

    yield (f, x)
    yield x


@change
def an_attribute_list_of_an_argument():
    x = tf.constant(2.0)
    x.ks = [1.0]
    yield (lambda x: x * sum(x.ks), x)
    x.ks.append(3.0)
    yield x


@change
def an_attribute_object_of_an_argument():
    x = tf.constant(2.0)
    x.box = Box(k=2.0)
    yield (lambda x: x * x.box.k, x)
    x.box.k = 3.0
    yield x


@change
def a_tensor_that_is_its_own_attribute():
    x = tf.constant(2.0)
    x.me = x
    y = tf.constant(2.0)
    y.me = tf.constant(5.0)
    yield (lambda x: x * x.me, x)
    yield y
