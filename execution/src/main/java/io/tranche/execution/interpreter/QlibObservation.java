package io.tranche.execution.interpreter;

import io.tranche.env.space.Value;
import io.tranche.execution.OrderProgress;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Converts Qlib's observation dictionary to a [FullHistoryObservation]. The dictionary is not
/// trusted, so everything in it is checked.
final class QlibObservation {

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

  /// @param remained what remained before each decision
  private record Received(Order order, int step, double remaining, Value.Floats remained)
      implements OrderProgress {

    @Override
    public double remainingAfter(int past) {
      return remained.at(past + 1);
    }
  }
}
