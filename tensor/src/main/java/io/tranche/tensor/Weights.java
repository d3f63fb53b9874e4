package io.tranche.tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// All parameters of a network in one array; gradients and moments have the same layout.
///
/// Layers add their parameters when they are created. After that any number of threads may read.
public final class Weights {

  private final Map<String, Parameter> byName = new HashMap<>();
  private final List<Parameter> parameters = new ArrayList<>();
  private final List<Factor> factors = new ArrayList<>();

  /// Shorter than [#size] while layers add parameters: growing it once for all is enough.
  private float[] values = new float[0];

  private int size;

  /// Every matrix transposed, for the backward pass; null when out of date.
  private volatile float @Nullable [] transposed;

  private float[] spare = new float[0];
  private volatile long version;
  private final int most;

  public Weights() {
    this(Integer.MAX_VALUE);
  }

  private Weights(int most) {
    this.most = most;
  }

  /// Returns weights that refuse to grow beyond `most` numbers before they allocate memory: for
  /// networks whose sizes come from an untrusted file.
  public static Weights upTo(int most) {
    return new Weights(most);
  }

  /// Adds a matrix of zeros.
  public Parameter matrix(String name, int rows, int columns) {
    return add(name, rows, columns, false);
  }

  /// Adds a matrix of zeros by which rows are multiplied.
  Factor factor(String name, int rows, int columns) {
    var factor = new Factor(this, matrix(name, rows, columns));
    factors.add(factor);
    return factor;
  }

  /// Adds a vector of zeros.
  public Parameter vector(String name, int size) {
    return add(name, size, 1, true);
  }

  private Parameter add(String name, int rows, int columns, boolean vector) {
    if (rows < 1 || columns < 1) {
      throw new IllegalArgumentException(
          "%s must have at least one element, was %d x %d".formatted(name, rows, columns));
    }
    if ((long) rows * columns > most - size) {
      throw new IllegalArgumentException(
          "weights must be at most %d numbers, was more: %s of %d x %d"
              .formatted(most, name, rows, columns));
    }
    var parameter = new Parameter(name, rows, columns, vector, size);
    if (byName.putIfAbsent(name, parameter) != null) {
      throw new IllegalArgumentException("name must be new, was '" + name + "'");
    }
    parameters.add(parameter);
    size += rows * columns;
    changed();
    return parameter;
  }

  /// Returns the parameters in the order they were added.
  public List<Parameter> parameters() {
    return Collections.unmodifiableList(parameters);
  }

  public @Nullable Parameter parameter(String name) {
    return byName.get(name);
  }

  public int size() {
    return size;
  }

  /// Returns the array itself, not a copy. Call [#changed()] after writing to it.
  public float[] values() {
    float[] ready = values;
    return ready.length == size ? ready : grown();
  }

  private synchronized float[] grown() {
    if (values.length != size) {
      values = Arrays.copyOf(values, size);
    }
    return values;
  }

  /// Forgets what was derived from the values.
  public synchronized void changed() {
    transposed = null;
    version++;
  }

  /// Returns a number that [#changed()] increases: anything derived from an older version is stale.
  public long version() {
    return version;
  }

  /// Draws every element of `parameter` uniformly from [-bound, bound), in torch's order.
  public void fillUniform(Parameter parameter, double bound, RandomGenerator random) {
    float[] drawn = new float[parameter.size()];
    for (int i = 0; i < drawn.length; i++) {
      drawn[i] = (float) ((2 * random.nextDouble() - 1) * bound);
    }
    load(parameter, drawn);
  }

  /// Sets `parameter` from numbers in torch's order, row by row.
  public void load(Parameter parameter, float[] rowMajor) {
    inputMajor(parameter, rowMajor, values());
    changed();
  }

  /// Writes numbers in torch's order, row by row, to the place of `parameter` in `target`, which is
  /// laid out like [#values()].
  public static void inputMajor(Parameter parameter, float[] rowMajor, float[] target) {
    requireSize(parameter, rowMajor);
    transpose(parameter.rows(), parameter.columns(), rowMajor, 0, target, parameter.offset());
  }

  /// Returns the elements of `parameter` in `source`, which is laid out like [#values()] (the
  /// values themselves, gradients, or moments), in torch's order, row by row.
  public static float[] rowMajor(Parameter parameter, float[] source) {
    float[] target = new float[parameter.size()];
    transpose(parameter.columns(), parameter.rows(), source, parameter.offset(), target, 0);
    return target;
  }

  /// Copies all values of `other`, which must have the same parameters.
  public void copyFrom(Weights other) {
    if (other.size() != size()) {
      throw new IllegalArgumentException("size must be %d, was %d".formatted(size(), other.size()));
    }
    System.arraycopy(other.values(), 0, values(), 0, size);
    changed();
  }

  /// Keeps large matrices in bytes, or in half precision, where that holds their numbers exactly
  /// and is faster: those of quantised files. Every output keeps its bits. From then on these
  /// weights only serve decisions: they cannot be trained, loaded or written, and the offsets of
  /// their parameters have changed.
  public synchronized void pack() {
    var packed = new HashSet<Parameter>();
    for (Factor each : factors) {
      if (!each.parameter().isPacked() && each.pack()) {
        packed.add(each.parameter());
      }
    }
    if (packed.isEmpty()) {
      return;
    }
    float[] all = values();
    int left = size - packed.stream().mapToInt(Parameter::size).sum();
    float[] others = new float[left];
    int at = 0;
    for (Parameter each : parameters) {
      if (packed.contains(each)) {
        each.move(Parameter.PACKED);
      } else if (!each.isPacked()) {
        System.arraycopy(all, each.offset(), others, at, each.size());
        each.move(at);
        at += each.size();
      }
    }
    values = others;
    size = left;
    spare = new float[0];
    changed();
  }

  /// Returns the bytes that the numbers take in memory.
  public long bytes() {
    return (long) Float.BYTES * size + factors.stream().mapToLong(Factor::packedBytes).sum();
  }

  /// Returns the first parameter with a NaN or an infinity in `source`, which is laid out like
  /// [#values()], or null if all are finite.
  public @Nullable Parameter firstNonFinite(float[] source) {
    for (int i = 0; i < source.length; i++) {
      if (!Float.isFinite(source[i])) {
        return parameterAt(i);
      }
    }
    return null;
  }

  private Parameter parameterAt(int index) {
    for (Parameter each : parameters) {
      if (index < each.offset() + each.size()) {
        return each;
      }
    }
    throw new IllegalArgumentException("index must be below %d, was %d".formatted(size(), index));
  }

  /// Returns an array laid out like [#values()] that holds every matrix in torch's order.
  float[] transposed() {
    float[] ready = transposed;
    return ready == null ? transposeAll() : ready;
  }

  private synchronized float[] transposeAll() {
    float[] ready = transposed;
    if (ready != null) {
      return ready;
    }
    if (spare.length != size) {
      spare = new float[size];
    }
    // By index: an iterator would be the only thing an update allocates.
    for (int i = 0; i < parameters.size(); i++) {
      Parameter each = parameters.get(i);
      transpose(each.columns(), each.rows(), values(), each.offset(), spare, each.offset());
    }
    transposed = spare;
    return spare;
  }

  /// Writes the transpose of the `height x width` matrix at `sourceAt` to `targetAt`.
  private static void transpose(
      int height, int width, float[] source, int sourceAt, float[] target, int targetAt) {
    for (int column = 0; column < width; column++) {
      for (int row = 0; row < height; row++) {
        target[targetAt + column * height + row] = source[sourceAt + row * width + column];
      }
    }
  }

  private static void requireSize(Parameter parameter, float[] rowMajor) {
    if (rowMajor.length != parameter.size()) {
      throw new IllegalArgumentException(
          "%s must get %d numbers, was %d".formatted(parameter, parameter.size(), rowMajor.length));
    }
  }
}
