package io.tranche.tensor;

import io.tranche.tensor.kernels.Kernels;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Attention of queries over keys, with one or more heads.
///
/// The rows of one lane follow one another: key `key` of lane `lane` is row `lane * keys + key`. A
/// query gives the same bits alone, in a batch, and on a growing [Memory].
///
/// Hot path: allocates only when a [Pass] or a [Memory] is made; any number of threads may share
/// the layer, each with its own pass or memory.
///
/// Qlib: `qlib.rl.order_execution.network.Attention`.
public final class Attention {

  private static final Kernels KERNELS = Kernels.best();

  private final Linear query;
  private final Linear key;
  private final Linear value;
  private final int width;
  private final int heads;

  /// Factor on the queries, and so on all scores.
  private final float scale;

  /// Adds `<prefix>q_net.weight` and so on, which map `inputs` to `width` numbers, to `weights`.
  /// One head with unscaled scores, as in Qlib.
  public Attention(Weights weights, String prefix, int inputs, int width) {
    this(weights, prefix, inputs, width, 1, 1);
  }

  private Attention(Weights weights, String prefix, int inputs, int width, int heads, float scale) {
    query = Linear.plain(weights, prefix + "q_net", inputs, width);
    key = Linear.plain(weights, prefix + "k_net", inputs, width);
    value = Linear.plain(weights, prefix + "v_net", inputs, width);
    this.width = width;
    this.heads = heads;
    this.scale = scale;
  }

  /// Returns an attention whose `heads` split `width` evenly and whose scores are divided by the
  /// square root of a head's width (Vaswani et al., 2017, section 3.2).
  public static Attention scaled(Weights weights, String prefix, int inputs, int width, int heads) {
    if (heads < 1 || width % heads != 0) {
      throw new IllegalArgumentException(
          "heads must divide the width %d, was %d".formatted(width, heads));
    }
    float scale = (float) (1 / Math.sqrt((double) width / heads));
    return new Attention(weights, prefix, inputs, width, heads, scale);
  }

  public int width() {
    return width;
  }

  /// Initialises all weights at random, as torch does.
  public void initialise(RandomGenerator random) {
    query.initialise(random);
    key.initialise(random);
    value.initialise(random);
  }

  /// Buffers for whole batches and the backward pass through them, for one thread.
  ///
  /// @param maxQueries maximum number of queries in a lane
  /// @param maxKeys maximum number of keys in a lane
  public Pass newPass(int maxLanes, int maxQueries, int maxKeys) {
    return newRaggedPass(maxLanes, Math.multiplyExact(maxLanes, maxQueries), maxKeys);
  }

  /// Buffers for lanes that differ in their number of queries, for one thread.
  ///
  /// @param allQueries maximum number of queries in all lanes together
  /// @param maxKeys maximum number of keys in a lane
  public Pass newRaggedPass(int maxLanes, int allQueries, int maxKeys) {
    return new Pass(maxLanes, allQueries, maxKeys);
  }

  /// Memory for keys that arrive one by one, for one thread.
  public Memory newMemory(int maxKeys) {
    return new Memory(maxKeys);
  }

  private void project(int count, Rows forQueries, Rows q) {
    query.forward(count, forQueries, q);
    rescale(count, q);
  }

  private void rescale(int count, Rows q) {
    if (scale != 1) {
      KERNELS.scale(count * width, scale, q.data, 0);
    }
  }

  /// What a forward pass keeps for the backward pass.
  public final class Pass {
    private final int maxLanes;
    private final int maxQueries;
    private final int maxKeys;
    private final Rows q;
    private final Rows k;
    private final Rows v;
    private final Rows dq;
    private final Rows dk;
    private final Rows dv;
    private final Rows output;
    private final AttentionHead[] parts;

    /// End of each lane's queries.
    private final int[] ends;

    private int lanes;
    private int keys;

    private Pass(int maxLanes, int maxQueries, int maxKeys) {
      this.maxLanes = maxLanes;
      this.maxQueries = maxQueries;
      this.maxKeys = maxKeys;
      int allKeys = Math.multiplyExact(maxLanes, maxKeys);
      q = Rows.zeros(maxQueries, width);
      k = Rows.zeros(allKeys, width);
      v = Rows.zeros(allKeys, width);
      dq = Rows.zeros(maxQueries, width);
      dk = Rows.zeros(allKeys, width);
      dv = Rows.zeros(allKeys, width);
      output = Rows.zeros(maxQueries, width);
      int each = width / heads;
      var scratch = new AttentionHead.Scratch(maxQueries, maxKeys, each);
      parts =
          IntStream.range(0, heads)
              .mapToObj(i -> new AttentionHead(i * each, each, maxQueries, maxKeys, scratch))
              .toArray(AttentionHead[]::new);
      ends = new int[maxLanes];
    }

    /// Returns one row per query, valid until the next [#forward].
    public Rows output() {
      return output;
    }

    /// In each lane, attends with `queries` rows of `forQueries` to the `keys` rows of `forKeys`
    /// and `forValues`.
    ///
    /// @param visible number of keys each query may attend to, counted from the first, at least 1;
    ///   null for all
    public void forward(
        int lanes,
        int queries,
        int keys,
        Rows forQueries,
        Rows forKeys,
        Rows forValues,
        int @Nullable [] visible) {
      require(lanes, lanes * queries, keys);
      for (int lane = 0; lane < lanes; lane++) {
        ends[lane] = (lane + 1) * queries;
      }
      forward(lanes, ends, keys, forQueries, forKeys, forValues, visible);
    }

    /// [#forward] for lanes that differ in their number of queries.
    ///
    /// @param queryEnds the row after the last query of each lane; the first lane begins at row 0,
    ///   every other lane where the previous one ends
    /// @param visible number of keys each query may attend to, counted from the first, at least 1;
    ///   null for all
    public void forward(
        int lanes,
        int[] queryEnds,
        int keys,
        Rows forQueries,
        Rows forKeys,
        Rows forValues,
        int @Nullable [] visible) {
      require(lanes, queryEnds[lanes - 1], keys);
      System.arraycopy(queryEnds, 0, ends, 0, lanes);
      this.lanes = lanes;
      this.keys = keys;
      project(ends[lanes - 1], forQueries, q);
      key.forward(lanes * keys, forKeys, k);
      value.forward(lanes * keys, forValues, v);
      int first = 0;
      for (int lane = 0; lane < lanes; lane++) {
        for (AttentionHead part : parts) {
          part.forward(first, ends[lane] - first, lane * keys, keys, q, k, v, visible, output);
        }
        first = ends[lane];
      }
    }

    private void require(int lanes, int queries, int keys) {
      if (lanes > maxLanes || queries > maxQueries || keys > maxKeys) {
        throw new IllegalArgumentException(
            "lanes, queries and keys must be at most %d, %d, %d, was %d, %d, %d"
                .formatted(maxLanes, maxQueries, maxKeys, lanes, queries, keys));
      }
    }

    /// Backward pass of the last [#forward], given the same rows.
    ///
    /// @param dy the gradient of [#output()]
    /// @param dQueries receives the gradient of `forQueries`, or null if it is not needed; likewise
    ///   `dKeys` and `dValues`, which need separate rows
    /// @param gradients laid out like the weights; this layer's gradients are added to it
    public void backward(
        Rows forQueries,
        Rows forKeys,
        Rows forValues,
        Rows dy,
        @Nullable Rows dQueries,
        @Nullable Rows dKeys,
        @Nullable Rows dValues,
        float[] gradients) {
      Arrays.fill(dk.data, 0, lanes * keys * width, 0);
      Arrays.fill(dv.data, 0, lanes * keys * width, 0);
      int first = 0;
      for (int lane = 0; lane < lanes; lane++) {
        for (AttentionHead part : parts) {
          part.backward(first, ends[lane] - first, lane * keys, keys, q, k, v, dy, dq, dk, dv);
        }
        first = ends[lane];
      }
      rescale(first, dq);
      query.backward(first, forQueries, q, dq, dQueries, gradients);
      key.backward(lanes * keys, forKeys, k, dk, dKeys, gradients);
      value.backward(lanes * keys, forValues, v, dv, dValues, gradients);
    }
  }

  /// Keys and values that arrive one by one, and queries over those that have arrived.
  public final class Memory {
    private final int maxKeys;
    private final Rows values;

    /// Key `i` is column `i`.
    private final float[] keyColumns;

    private final Rows newKey = Rows.zeros(1, width);
    private final Rows newValue = Rows.zeros(1, width);
    private final Rows newQuery = Rows.zeros(1, width);
    private final Rows output = Rows.zeros(1, width);
    private final float[] probabilities;
    private final float[] zeros;
    private int size;

    private Memory(int maxKeys) {
      this.maxKeys = maxKeys;
      values = Rows.zeros(maxKeys, width);
      keyColumns = new float[Math.multiplyExact(maxKeys, width)];
      probabilities = new float[maxKeys];
      zeros = new float[Math.max(maxKeys, width)];
    }

    public int size() {
      return size;
    }

    /// Returns the capacity in keys.
    public int maxKeys() {
      return maxKeys;
    }

    /// Forgets all keys.
    public void reset() {
      size = 0;
    }

    /// Adds the key and the value made from row 0 of `forKey` and of `forValue`.
    public void add(Rows forKey, Rows forValue) {
      if (size == maxKeys) {
        throw new IllegalStateException("size must be below " + maxKeys + ", was " + size);
      }
      key.forward(1, forKey, newKey);
      for (int j = 0; j < width; j++) {
        keyColumns[j * maxKeys + size] = newKey.data[j];
      }
      value.forward(1, forValue, newValue);
      System.arraycopy(newValue.data, 0, values.data, values.offset(size), width);
      size++;
    }

    /// Returns the result of the query made from row 0 of `forQuery` over all keys, valid until the
    /// next call.
    public Rows attend(Rows forQuery) {
      return attend(forQuery, size);
    }

    /// Returns the result of the query made from row 0 of `forQuery` over the first `visible` keys,
    /// valid until the next call.
    public Rows attend(Rows forQuery, int visible) {
      if (visible < 1 || visible > size) {
        throw new IllegalArgumentException(
            "visible must be in [1, %d], was %d".formatted(size, visible));
      }
      project(1, forQuery, newQuery);
      int each = width / heads;
      for (int column = 0; column < width; column += each) {
        attend(column, each, visible);
      }
      return output;
    }

    private void attend(int column, int each, int visible) {
      float[] q = newQuery.data;
      float[] k = keyColumns;
      float[] v = values.data;
      float[] p = probabilities;
      float[] y = output.data;
      int at = column * maxKeys;
      KERNELS.multiply(
          1, visible, each, q, column, width, 1, k, at, maxKeys, zeros, 0, 0, p, 0, visible);
      KERNELS.softmax(visible, p, 0);
      KERNELS.multiply(
          1, each, visible, p, 0, visible, 1, v, column, width, zeros, 0, 0, y, column, width);
    }
  }
}
