package io.tranche.execution.interpreter;

import io.tranche.env.Observation;
import io.tranche.env.space.Value.ElementType;
import io.tranche.env.space.Value;
import io.tranche.execution.OrderProgress;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.DayObservation;
import io.tranche.market.feature.FeatureColumns;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Everything up to now, as references to the day and the episode: a few words of memory, however
/// long the day is.
///
/// Features of future ticks read as 0. A policy that encodes the whole day once uses [#features],
/// which is the same object for all orders of that instrument and day (and side, if features are
/// mirrored), and reads its row at [#tick].
public final class FullHistoryObservation implements Observation, DayObservation {

  private final DayFeatures features;
  private final int visibleTicks;
  private final int tick;
  private final int maxSteps;
  private final Side side;
  private final OrderProgress progress;

  FullHistoryObservation(
      DayFeatures features,
      int visibleTicks,
      int tick,
      int maxSteps,
      Side side,
      OrderProgress progress) {
    this.features = features;
    this.visibleTicks = visibleTicks;
    this.tick = tick;
    this.maxSteps = maxSteps;
    this.side = side;
    this.progress = progress;
  }

  /// Reads an observation from the dictionary that [#toValue] or Qlib's interpreter made. One of
  /// the progress alone, as [CurrentStepObservation] has it, has no features.
  ///
  /// @throws DataException if `value` is not such a dictionary
  public static FullHistoryObservation fromValue(Value value) {
    return QlibObservation.parse(value);
  }

  /// Returns the features of the whole day, including future ones.
  public DayFeatures features() {
    return features;
  }

  /// Returns what the agent would see of another day at the same moment.
  ///
  /// @param other with the same ticks and columns
  public FullHistoryObservation withFeatures(DayFeatures other) {
    if (other.ticks() != features.ticks() || !other.columns().equals(features.columns())) {
      throw new IllegalArgumentException("other must have the same ticks and columns");
    }
    return new FullHistoryObservation(other, visibleTicks, tick, maxSteps, side, progress);
  }

  OrderProgress progress() {
    return progress;
  }

  @Override
  public DayFeatures day() {
    return features;
  }

  @Override
  public Object episode() {
    return progress.order();
  }

  @Override
  public int ticks() {
    return features.ticks();
  }

  @Override
  public int todayWidth() {
    return features.columns().today().size();
  }

  @Override
  public int yesterdayWidth() {
    return features.columns().yesterday().size();
  }

  @Override
  public void copyToday(int atTick, float[] target, int at) {
    features.copyToday(atTick, 1, target, at);
  }

  @Override
  public void copyYesterday(int atTick, float[] target, int at) {
    features.copyYesterday(atTick, 1, target, at);
  }

  @Override
  public int finiteToday() {
    return features.finiteToday();
  }

  @Override
  public int finiteYesterday() {
    return features.finiteYesterday();
  }

  @Override
  public String where() {
    return "%s %s".formatted(features.instrument(), features.date());
  }

  @Override
  public String describe(int atTick) {
    return features.describe(atTick);
  }

  @Override
  public int visibleTicks() {
    return visibleTicks;
  }

  /// Returns a feature of today, 0 if it is in the future.
  public float today(int atTick, int column) {
    return atTick < visibleTicks ? features.today(atTick, column) : 0;
  }

  public float yesterday(int atTick, int column) {
    return features.yesterday(atTick, column);
  }

  /// Returns the side that is shown: always a sell with mirrored features.
  public Side side() {
    return side;
  }

  @Override
  public int sideCode() {
    return side.code();
  }

  /// Returns the tick of the next decision; the last of the day if there is none. Qlib: `cur_tick`.
  @Override
  public int tick() {
    return tick;
  }

  /// Returns the number of decisions taken, at most `maxSteps - 1`. Qlib: `cur_step`.
  @Override
  public int step() {
    return Math.min(progress.step(), maxSteps - 1);
  }

  /// Returns the maximal number of decisions of an order. Qlib: `num_step`.
  @Override
  public int maxSteps() {
    return maxSteps;
  }

  @Override
  public float target() {
    return (float) progress.order().amount();
  }

  /// Returns what remains of the order.
  public float remaining() {
    return (float) progress.remaining();
  }

  /// Qlib: `position_history`.
  @Override
  public float remainingAt(int past) {
    if (past == 0) {
      return target();
    }
    return past <= progress.step() ? (float) progress.remainingAfter(past - 1) : 0;
  }

  @Override
  public Value toValue() {
    var entries = new LinkedHashMap<String, Value>();
    entries.put(
        "data_processed", matrix(features.columns().today().size(), visibleTicks, features::today));
    entries.put(
        "data_processed_prev",
        matrix(features.columns().yesterday().size(), features.ticks(), features::yesterday));
    entries.put("acquiring", int32(side().code()));
    entries.put("cur_tick", int32(tick));
    entries.put("cur_step", int32(step()));
    entries.put("num_step", int32(maxSteps));
    entries.put("target", float32(target()));
    entries.put("position", float32(remaining()));
    double[] remained = new double[maxSteps];
    for (int past = 0; past < maxSteps; past++) {
      remained[past] = remainingAt(past);
    }
    entries.put(
        "position_history", new Value.Floats(ElementType.FLOAT32, List.of(maxSteps), remained));
    return new Value.Dict(entries);
  }

  /// A feature at a tick.
  @FunctionalInterface
  private interface Feature {
    float at(int atTick, int column);
  }

  /// @param rows the number of visible ticks; the others read as 0
  private Value matrix(int width, int rows, Feature feature) {
    double[] matrix = new double[features.ticks() * width];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < width; column++) {
        matrix[row * width + column] = feature.at(row, column);
      }
    }
    return new Value.Floats(ElementType.FLOAT32, List.of(features.ticks(), width), matrix);
  }

  static Value int32(int number) {
    return new Value.Integers(ElementType.INT32, List.of(), number);
  }

  static Value float32(float number) {
    return new Value.Floats(ElementType.FLOAT32, List.of(), number);
  }

  /// Converts Qlib's observation dictionary to a [FullHistoryObservation]. The dictionary is not
  /// trusted, so everything in it is checked.
  private static final class QlibObservation {

    /// The dictionary does not contain the instrument or the date.
    private static final LocalDate SOME_DAY = LocalDate.EPOCH;

    private static final String SOMETHING = "UNKNOWN";

    private final Map<String, Value> entries;

    private QlibObservation(Map<String, Value> entries) {
      this.entries = entries;
    }

    static FullHistoryObservation parse(Value value) {
      if (!(value instanceof Value.Dict(var entries))) {
        throw new DataException("observation", "a dictionary", value.getClass().getSimpleName());
      }
      return new QlibObservation(entries).parse();
    }

    private FullHistoryObservation parse() {
      if (!entries.containsKey("data_processed")) {
        return parseProgress();
      }
      Value.Floats today = matrix("data_processed");
      Value.Floats yesterday = matrix("data_processed_prev");
      int ticks = today.shape().getFirst();
      if (!today.shape().equals(yesterday.shape())) {
        throw wrong("data_processed_prev", "the shape " + today.shape(), yesterday.shape());
      }
      int steps = whole("num_step", 1, Integer.MAX_VALUE);
      Value.Floats remained = floats("position_history");
      if (!remained.shape().equals(List.of(steps))) {
        throw wrong("position_history", "the shape [" + steps + "]", remained.shape());
      }
      if (remained.at(0) != scalar("target")) {
        throw wrong("position_history[0]", "the target", remained.at(0));
      }
      int tick = whole("cur_tick", 0, ticks - 1);
      DayFeatures day =
          DayFeatures.wrap(
              SOMETHING,
              SOME_DAY,
              columns(today.shape().getLast()),
              IntStream.range(0, ticks).mapToLong(i -> i).toArray(),
              singles(today),
              singles(yesterday));
      // Future values were replaced by zeros before they arrived here.
      Side side = Side.ofCode(whole("acquiring", 0, 1));
      int step = whole("cur_step", 0, steps - 1);
      return new FullHistoryObservation(
          day, ticks, tick, steps, side, progress(side, step, remained));
    }

    private FullHistoryObservation parseProgress() {
      int steps = whole("num_step", 1, Integer.MAX_VALUE);
      int step = whole("cur_step", 0, steps - 1);
      double[] remained = new double[step + 1];
      Arrays.fill(remained, scalar("position"));
      DayFeatures none =
          DayFeatures.wrap(
              SOMETHING, SOME_DAY, FeatureColumns.NONE, new long[1], new float[0], new float[0]);
      Side side = Side.ofCode(whole("acquiring", 0, 1));
      var known = new Value.Floats(ElementType.FLOAT64, List.of(remained.length), remained);
      return new FullHistoryObservation(none, 1, 0, steps, side, progress(side, step, known));
    }

    private OrderProgress progress(Side side, int step, Value.Floats remained) {
      LocalDateTime midnight = SOME_DAY.atStartOfDay();
      var order = new Order(SOMETHING, side, scalar("target"), midnight, midnight.plusDays(1));
      return new Received(order, step, scalar("position"), remained);
    }

    private static FeatureColumns columns(int width) {
      List<String> names = IntStream.range(0, width).mapToObj(Integer::toString).toList();
      return new FeatureColumns(names, names);
    }

    private Value.Floats matrix(String key) {
      Value.Floats matrix = floats(key);
      if (matrix.shape().size() != 2 || matrix.size() == 0) {
        throw wrong(key, "ticks x features", matrix.shape());
      }
      return matrix;
    }

    private Value.Floats floats(String key) {
      if (entries.get(key) instanceof Value.Floats floats) {
        return floats;
      }
      throw wrong(key, "an array of floats", entries.get(key));
    }

    private double scalar(String key) {
      Value.Floats floats = floats(key);
      if (floats.size() != 1 || !(floats.at(0) >= 0 && Double.isFinite(floats.at(0)))) {
        throw wrong(key, "an amount", floats.size() == 1 ? floats.at(0) : floats.shape());
      }
      return floats.at(0);
    }

    private int whole(String key, int low, int high) {
      if (entries.get(key) instanceof Value.Integers numbers
          && numbers.size() == 1
          && numbers.at(0) >= low
          && numbers.at(0) <= high) {
        return (int) numbers.at(0);
      }
      throw wrong(key, "a whole number in [%d, %d]".formatted(low, high), entries.get(key));
    }

    private static DataException wrong(String key, String rule, @Nullable Object was) {
      return new DataException("observation." + key, rule, was == null ? "nothing" : was);
    }

    private static float[] singles(Value.Floats floats) {
      float[] singles = new float[floats.size()];
      for (int i = 0; i < singles.length; i++) {
        singles[i] = (float) floats.at(i);
      }
      return singles;
    }
  }

  /// The progress of an order that is worked elsewhere.
  ///
  /// @param remained what remained before each decision
  record Received(Order order, int step, double remaining, Value.Floats remained)
      implements OrderProgress {

    @Override
    public double remainingAfter(int past) {
      return remained.at(past + 1);
    }
  }
}
