package io.tranche.execution.interpreter;

import io.tranche.env.ObservationCodec;
import io.tranche.env.space.Space;
import io.tranche.env.space.SpaceException;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.OrderCodec;
import io.tranche.execution.OrderProgress;
import io.tranche.execution.PolicyStrategy.PreviewingInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation.Received;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.SidedFeatures;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Shows a policy everything up to now: the features of today and yesterday, and what remained
/// after each decision. Qlib: `FullHistoryStateInterpreter`.
public final class FullHistoryInterpreter implements PreviewingInterpreter<FullHistoryObservation> {

  /// The smallest amount that counts as none, as in Qlib's spaces.
  static final double LOWEST_AMOUNT = -1e-12;

  private static final Value.Floats NO_STEPS = new Value.Floats(ElementType.FLOAT64, List.of(0));

  private final int maxSteps;
  private final int ticks;
  private final int dimension;
  private final SidedFeatures source;
  private final boolean hindsight;
  private final boolean takesShorterDays;
  private final Space space;

  /// @param maxSteps the maximal number of decisions of an order
  /// @param ticks the number of ticks in a day
  /// @param dimension the number of features of a tick; 0 for none
  /// @param source stays open; the caller closes it
  public FullHistoryInterpreter(int maxSteps, int ticks, int dimension, FeatureSource source) {
    this(maxSteps, ticks, dimension, SidedFeatures.alike(source));
  }

  /// @param source the features of either side; if mirrored, every order is shown as a sell, since
  ///   a buy is a sell on the mirrored day
  public FullHistoryInterpreter(int maxSteps, int ticks, int dimension, SidedFeatures source) {
    this(maxSteps, ticks, dimension, source, false, false);
  }

  private FullHistoryInterpreter(
      int maxSteps,
      int ticks,
      int dimension,
      SidedFeatures source,
      boolean hindsight,
      boolean takesShorterDays) {
    this.maxSteps = requirePositive("maxSteps", maxSteps);
    this.ticks = requirePositive("ticks", ticks);
    if (dimension < 0) {
      throw new IllegalArgumentException("dimension must not be negative, was " + dimension);
    }
    this.dimension = dimension;
    this.source = source;
    this.hindsight = hindsight;
    this.takesShorterDays = takesShorterDays;
    this.space = space(maxSteps, ticks, dimension, hindsight);
  }

  /// Returns an interpreter that shows the progress of an order and no features, for policies that
  /// were trained with a [CurrentStepInterpreter].
  public static FullHistoryInterpreter ofProgress(int maxSteps) {
    return new FullHistoryInterpreter(maxSteps, 1, 0, new NoFeatures());
  }

  /// Days of one tick without columns.
  private record NoFeatures() implements FeatureSource {

    @Override
    public FeatureColumns columns() {
      return FeatureColumns.NONE;
    }

    @Override
    public DayFeatures day(String instrument, LocalDate date) {
      return DayFeatures.wrap(instrument, date, columns(), new long[1], new float[0], new float[0]);
    }
  }

  /// Returns an interpreter that shows the whole day at every step, as if it were over: for a
  /// teacher, whose students do not see the future.
  public FullHistoryInterpreter inHindsight(TeacherPermit permit) {
    Objects.requireNonNull(permit);
    return new FullHistoryInterpreter(maxSteps, ticks, dimension, source, true, takesShorterDays);
  }

  /// Returns an interpreter that shows other features in the same way, such as those of other bars.
  ///
  /// @param features with the same columns; stay open
  /// @param cachedDays how many mirrored days are kept in memory
  public FullHistoryInterpreter over(FeatureSource features, int cachedDays) {
    SidedFeatures sided =
        source.isMirrored()
            ? SidedFeatures.mirrored(features, cachedDays)
            : SidedFeatures.alike(features);
    return new FullHistoryInterpreter(
        maxSteps, ticks, dimension, sided, hindsight, takesShorterDays);
  }

  /// Returns an interpreter for which `ticks` are those of the longest day: half days, and those of
  /// instruments that trade for fewer hours, are days like others. Qlib's refuses them.
  public FullHistoryInterpreter forShorterDays() {
    return new FullHistoryInterpreter(maxSteps, ticks, dimension, source, hindsight, true);
  }

  /// Returns the space of observations that do not show the future.
  public static Space space(int maxSteps, int ticks, int dimension) {
    return space(maxSteps, ticks, dimension, false);
  }

  private static Space space(int maxSteps, int ticks, int dimension, boolean hindsight) {
    var matrix =
        new Space.Box(
            ElementType.FLOAT32,
            List.of(ticks, dimension),
            Double.NEGATIVE_INFINITY,
            Double.POSITIVE_INFINITY);
    return new Space.Dict(
        Map.of(
            "data_processed", matrix,
            "data_processed_prev", matrix,
            "acquiring", new Space.Discrete(2),
            "cur_tick", Space.Box.scalar(ElementType.INT32, 0, hindsight ? ticks : ticks - 1),
            "cur_step", Space.Box.scalar(ElementType.INT32, 0, maxSteps - 1),
            "num_step", Space.Box.scalar(ElementType.INT32, maxSteps, maxSteps),
            "target", amounts(List.of()),
            "position", amounts(List.of()),
            "position_history", amounts(List.of(maxSteps))));
  }

  static Space amounts(List<Integer> shape) {
    return new Space.Box(ElementType.FLOAT32, shape, LOWEST_AMOUNT, Double.POSITIVE_INFINITY);
  }

  static int requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be positive, was " + value);
    }
    return value;
  }

  @Override
  public Space observationSpace() {
    return space;
  }

  @Override
  public ObservationCodec<FullHistoryObservation> codec() {
    return new FullHistoryCodec();
  }

  /// @throws IllegalArgumentException if the order has taken more than `maxSteps` decisions
  @Override
  public FullHistoryObservation interpret(ExecutionState state) {
    NextStep.requireRoom(state, maxSteps);
    DayFeatures day = day(state.order());
    int tick = Math.min(state.tick(), ticks - 1);
    if (takesShorterDays && state.tick() == day.ticks()) {
      tick = day.ticks() - 1; // an order that is over is behind the last tick of its day
    }
    return view(day, ticksBefore(state.time(), day), tick, state);
  }

  @Override
  public FullHistoryObservation preview(Order order) {
    return view(day(order), 0, 0, new Received(order, 0, order.amount(), NO_STEPS));
  }

  /// Returns this interpreter's view of the moment that another interpreter showed. Both must have
  /// the same number of ticks.
  public FullHistoryObservation review(FullHistoryObservation other) {
    OrderProgress progress = other.progress();
    return view(day(progress.order()), other.visibleTicks(), other.tick(), progress);
  }

  /// Returns the maximal number of decisions of an order.
  public int maxSteps() {
    return maxSteps;
  }

  /// Returns the number of ticks in a day.
  public int ticks() {
    return ticks;
  }

  /// Returns the number of features of a tick.
  public int dimension() {
    return dimension;
  }

  /// Whether every order is shown as a sell.
  public boolean isMirrored() {
    return source.isMirrored();
  }

  /// Returns where the features come from, before any mirroring. It stays open.
  public FeatureSource source() {
    return source.source();
  }

  /// Returns the features that `order` sees.
  DayFeatures day(Order order) {
    return source.day(order.instrument(), order.date(), order.side());
  }

  FullHistoryObservation view(DayFeatures day, int visible, int tick, OrderProgress progress) {
    Side side = source.isMirrored() ? Side.SELL : progress.order().side();
    return new FullHistoryObservation(
        day,
        hindsight ? day.ticks() : visible,
        hindsight ? day.ticks() : tick,
        maxSteps,
        side,
        progress);
  }

  private static int ticksBefore(long time, DayFeatures day) {
    int low = 0;
    int high = day.ticks();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (day.time(middle) < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Hot path: allocates only the observation. The day knows whether its features are finite;
  /// everything else is a few comparisons.
  ///
  /// @throws DataException if a feature is infinite, which Qlib's space would accept
  @Override
  public FullHistoryObservation observe(ExecutionState state) {
    FullHistoryObservation observation = interpret(state);
    if (!isSound(observation)) {
      String spoilt = firstSpoiltFeature(observation);
      try {
        space.validate(observation.toValue());
      } catch (SpaceException e) {
        throw spoilt == null ? e : e.at(spoilt);
      }
      DayFeatures day = observation.features();
      throw new DataException(
          "%s %s".formatted(day.instrument(), day.date()),
          "finite features",
          "an infinite one of " + Objects.requireNonNull(spoilt));
    }
    return observation;
  }

  /// Describes the first feature that is not finite; null if all are.
  private static @Nullable String firstSpoiltFeature(FullHistoryObservation observation) {
    DayFeatures day = observation.features();
    if (day.finiteToday() < observation.visibleTicks()) {
      return "today, " + day.describe(day.finiteToday());
    }
    return day.finiteYesterday() < day.ticks()
        ? "yesterday, " + day.describe(day.finiteYesterday())
        : null;
  }

  /// Whether an observation is in the space, computed without its arrays.
  private boolean isSound(FullHistoryObservation observation) {
    DayFeatures day = observation.features();
    boolean fits =
        takesShorterDays ? day.ticks() >= 1 && day.ticks() <= ticks : day.ticks() == ticks;
    if (!fits
        || day.columns().today().size() != dimension
        || day.columns().yesterday().size() != dimension
        || day.finiteToday() < observation.visibleTicks()
        || day.finiteYesterday() < day.ticks()) {
      return false;
    }
    boolean sound = isAmount(observation.target()) && isAmount(observation.remaining());
    for (int step = 0; step < maxSteps && sound; step++) {
      sound = isAmount(observation.remainingAt(step));
    }
    return sound;
  }

  private static boolean isAmount(float amount) {
    return amount >= (float) LOWEST_AMOUNT;
  }

  /// Writes a view of a day as its order and the order's progress. The reader makes the view again
  /// on the features of its own source, so the matrices are never written.
  private final class FullHistoryCodec implements ObservationCodec<FullHistoryObservation> {

    @Override
    public void write(FullHistoryObservation observation, DataOutputStream out) throws IOException {
      OrderProgress progress = observation.progress();
      OrderCodec.write(progress.order(), out);
      out.writeInt(observation.visibleTicks());
      out.writeInt(observation.tick());
      out.writeInt(progress.step());
      out.writeDouble(progress.remaining());
      for (int past = 0; past < progress.step(); past++) {
        out.writeDouble(progress.remainingAfter(past));
      }
    }

    @Override
    public FullHistoryObservation read(DataInputStream in) throws IOException {
      Order order = OrderCodec.read(in);
      DayFeatures day = day(order);
      int visible = bounded(in, "visible ticks", day.ticks());
      int tick = bounded(in, "tick", day.ticks());
      int step = bounded(in, "step", Math.min(maxSteps, in.available() / Double.BYTES));
      double remaining = in.readDouble();
      double[] remained = new double[step + 1];
      remained[0] = order.amount();
      for (int past = 1; past <= step; past++) {
        remained[past] = in.readDouble();
      }
      var steps = new Value.Floats(ElementType.FLOAT64, List.of(step + 1), remained);
      return view(day, visible, tick, new Received(order, step, remaining, steps));
    }

    private int bounded(DataInputStream in, String name, int high) throws IOException {
      int number = in.readInt();
      if (number < 0 || number > high) {
        throw new StreamCorruptedException(
            "expected a %s in [0, %d], was %d".formatted(name, high, number));
      }
      return number;
    }
  }
}
