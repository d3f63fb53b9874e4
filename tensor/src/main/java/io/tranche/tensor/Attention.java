package io.tranche.tensor;

import io.tranche.tensor.kernels.Kernels;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Attention of queries over keys: the scores are plain products, without scaling.
///
/// Lanes are laid out one after the other: row `lane * queries + query` and `lane * keys + key`. A
/// query gives the same bits in a pass and on a growing [Memory].
///
/// Hot path: allocates only when a [Pass] or a [Memory] is made; any number of threads may share
/// the layer, each with its own.
///
/// Qlib: `qlib.rl.order_execution.network.Attention`.
public final class Attention {

  private static final Kernels KERNELS = Kernels.best();

  private final Linear query;
  private final Linear key;
  private final Linear value;
  private final int width;
  private final float[] zeros;

  /// Adds `<prefix>q_net.weight` and so on, of `inputs` to `width` numbers, to `weights`.
  public Attention(Weights weights, String prefix, int inputs, int width) {
    query = Linear.plain(weights, prefix + "q_net", inputs, width);
    key = Linear.plain(weights, prefix + "k_net", inputs, width);
    value = Linear.plain(weights, prefix + "v_net", inputs, width);
    this.width = width;
    this.zeros = new float[width];
  }

  public int width() {
    return width;
  }

  /// Draws all weights as torch does.
  public void initialise(RandomGenerator random) {
    query.initialise(random);
    key.initialise(random);
    value.initialise(random);
  }

  /// Memory for whole batches and the way back through them, for one thread.
  public Pass newPass(int maxLanes, int maxQueries, int maxKeys) {
    return new Pass(maxLanes, maxQueries, maxKeys);
  }

  /// Memory for keys that come one by one, for one thread.
  public Memory newMemory(int maxKeys) {
    return new Memory(maxKeys);
  }

  /// What a forward pass leaves behind for the way back.
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

    /// The softmax of the scores of every query over its lane's keys.
    private final float[] probabilities;

    private final float[] dScores;

    /// The keys, or the values, of one lane, side by side.
    private final float[] columns;

    private final float[] start;
    private int lanes;
    private int queries;
    private int keys;

    private Pass(int maxLanes, int maxQueries, int maxKeys) {
      this.maxLanes = maxLanes;
      this.maxQueries = maxQueries;
      this.maxKeys = maxKeys;
      int allQueries = Math.multiplyExact(maxLanes, maxQueries);
      int allKeys = Math.multiplyExact(maxLanes, maxKeys);
      q = Rows.zeros(allQueries, width);
      k = Rows.zeros(allKeys, width);
      v = Rows.zeros(allKeys, width);
      dq = Rows.zeros(allQueries, width);
      dk = Rows.zeros(allKeys, width);
      dv = Rows.zeros(allKeys, width);
      output = Rows.zeros(allQueries, width);
      probabilities = new float[Math.multiplyExact(allQueries, maxKeys)];
      dScores = new float[Math.multiplyExact(maxQueries, maxKeys)];
      columns = new float[Math.multiplyExact(width, maxKeys)];
      start = new float[maxKeys];
    }

    /// Returns one row a query, valid until the next [#forward].
    public Rows output() {
      return output;
    }

    /// Lets `queries` rows of `forQueries` in each lane look at the `keys` rows of `forKeys` and
    /// `forValues` in the same lane.
    ///
    /// @param visible how many keys, from the first on, each query may look at, at least 1; null
    ///   means all
    public void forward(
        int lanes,
        int queries,
        int keys,
        Rows forQueries,
        Rows forKeys,
        Rows forValues,
        int @Nullable [] visible) {
      if (lanes > maxLanes || queries > maxQueries || keys > maxKeys) {
        throw new IllegalArgumentException(
            "lanes, queries and keys must be at most %d, %d, %d, was %d, %d, %d"
                .formatted(maxLanes, maxQueries, maxKeys, lanes, queries, keys));
      }
      this.lanes = lanes;
      this.queries = queries;
      this.keys = keys;
      query.forward(lanes * queries, forQueries, q);
      key.forward(lanes * keys, forKeys, k);
      value.forward(lanes * keys, forValues, v);
      for (int lane = 0; lane < lanes; lane++) {
        score(lane, visible);
        for (int i = lane * queries; i < (lane + 1) * queries; i++) {
          KERNELS.multiply(
              1,
              width,
              visible(visible, i),
              probabilities,
              i * keys,
              keys,
              1,
              v.data,
              v.offset(lane * keys),
              width,
              zeros,
              0,
              0,
              output.data,
              output.offset(i),
              width);
        }
      }
    }

    private void score(int lane, int @Nullable [] visible) {
      turn(k, lane);
      int first = lane * queries;
      KERNELS.multiply(
          queries,
          keys,
          width,
          q.data,
          q.offset(first),
          width,
          1,
          columns,
          0,
          keys,
          start,
          0,
          0,
          probabilities,
          first * keys,
          keys);
      for (int i = first; i < first + queries; i++) {
        int seen = visible(visible, i);
        KERNELS.softmax(seen, probabilities, i * keys);
        Arrays.fill(probabilities, i * keys + seen, (i + 1) * keys, 0);
      }
    }

    private int visible(int @Nullable [] visible, int i) {
      return visible == null ? keys : visible[i];
    }

    /// Lays one lane's rows out as columns.
    private void turn(Rows rows, int lane) {
      for (int i = 0; i < keys; i++) {
        for (int j = 0; j < width; j++) {
          columns[j * keys + i] = rows.data[rows.offset(lane * keys + i) + j];
        }
      }
    }

    /// Goes back through the last [#forward] on the same rows.
    ///
    /// @param dy the gradient of [#output()]
    /// @param dQueries receives the gradient of `forQueries`, or null if nobody asks; the same for
    ///   the other two, each in rows of its own
    /// @param gradients laid out as the weights; what this layer adds is added to it
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
      for (int lane = 0; lane < lanes; lane++) {
        backThroughLane(lane, dy);
      }
      query.backward(lanes * queries, forQueries, q, dq, dQueries, gradients);
      key.backward(lanes * keys, forKeys, k, dk, dKeys, gradients);
      value.backward(lanes * keys, forValues, v, dv, dValues, gradients);
    }

    private void backThroughLane(int lane, Rows dy) {
      int first = lane * queries;
      int kv = lane * keys * width;
      KERNELS.multiply(
          keys,
          width,
          queries,
          probabilities,
          first * keys,
          1,
          keys,
          dy.data,
          dy.offset(first),
          dy.stride,
          dv.data,
          kv,
          width,
          dv.data,
          kv,
          width);
      turn(v, lane);
      KERNELS.multiply(
          queries,
          keys,
          width,
          dy.data,
          dy.offset(first),
          dy.stride,
          1,
          columns,
          0,
          keys,
          start,
          0,
          0,
          dScores,
          0,
          keys);
      for (int i = 0; i < queries; i++) {
        // Keys that were not visible have probability 0 and so get a gradient of 0.
        KERNELS.softmaxBackward(keys, probabilities, (first + i) * keys, dScores, i * keys);
      }
      KERNELS.multiply(
          queries,
          width,
          keys,
          dScores,
          0,
          keys,
          1,
          k.data,
          kv,
          width,
          zeros,
          0,
          0,
          dq.data,
          first * width,
          width);
      KERNELS.multiply(
          keys,
          width,
          queries,
          dScores,
          0,
          1,
          keys,
          q.data,
          first * width,
          width,
          dk.data,
          kv,
          width,
          dk.data,
          kv,
          width);
    }
  }

  /// Keys and values that come one by one, and queries over those that have come.
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
    private final float[] start;
    private int size;

    private Memory(int maxKeys) {
      this.maxKeys = maxKeys;
      values = Rows.zeros(maxKeys, width);
      keyColumns = new float[Math.multiplyExact(maxKeys, width)];
      probabilities = new float[maxKeys];
      start = new float[maxKeys];
    }

    public int size() {
      return size;
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

    /// Returns what the query made from row 0 of `forQuery` finds, valid until the next call.
    public Rows attend(Rows forQuery) {
      if (size == 0) {
        throw new IllegalStateException("size must be at least 1, was 0");
      }
      query.forward(1, forQuery, newQuery);
      KERNELS.multiply(
          1,
          size,
          width,
          newQuery.data,
          0,
          width,
          1,
          keyColumns,
          0,
          maxKeys,
          start,
          0,
          0,
          probabilities,
          0,
          size);
      KERNELS.softmax(size, probabilities, 0);
      KERNELS.multiply(
          1,
          width,
          size,
          probabilities,
          0,
          size,
          1,
          values.data,
          0,
          width,
          zeros,
          0,
          0,
          output.data,
          0,
          width);
      return output;
    }
  }
}
