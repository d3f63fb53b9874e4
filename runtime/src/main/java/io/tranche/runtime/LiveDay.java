package io.tranche.runtime;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.market.feature.LiveFeatures;
import io.tranche.market.order.OrderWindow;
import io.tranche.policy.network.LiveNetwork;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;

/// One instrument on a live trading day: takes the bars as they arrive and shares them among all
/// orders.
///
/// Bars arrive in the order of their ticks. A bar that skips ticks declares them missing: the
/// features treat a missing tick as one without trades. See [BarAnswer] for bars that are not the
/// next one.
///
/// Belongs to the thread of its [DecisionRuntime]. Hot path: [#bar] and [#skipTo] allocate nothing.
public final class LiveDay {

  private final DecisionRuntime runtime;
  private final String instrument;
  private final LocalDate date;
  private final long[] times;
  private final LiveFeatures features;
  private final int fields;
  private final int width;

  /// The bars so far, one row per tick; the row of a missing bar is all NaN.
  private final float[] bars;

  /// The features of those bars, kept for streams that begin later.
  private final float[] rows;

  private final DayStreams streams;
  private int ticks;
  private boolean isBroken;
  private boolean isClosed;

  LiveDay(
      DecisionRuntime runtime,
      String instrument,
      LocalDate date,
      long[] times,
      LiveFeatures features) {
    ModelSpec spec = runtime.model().spec();
    this.runtime = runtime;
    this.instrument = instrument;
    this.date = date;
    this.times = times;
    this.features = features;
    this.fields = spec.features().fields().size();
    this.width = spec.features().columns().today().size();
    this.bars = new float[Math.multiplyExact(times.length, fields)];
    this.rows = new float[Math.multiplyExact(times.length, width)];
    this.streams = new DayStreams(runtime, features.yesterday(), times.length);
    requireFinite(features.yesterday());
  }

  private void requireFinite(float[] yesterday) {
    for (float value : yesterday) {
      if (!Float.isFinite(value)) {
        throw new DataException(toString(), "finite features of yesterday", value);
      }
    }
  }

  public String instrument() {
    return instrument;
  }

  public LocalDate date() {
    return date;
  }

  /// Returns how many ticks have passed, missing ones included; also the number of the next tick.
  public int ticks() {
    return ticks;
  }

  /// Returns how many ticks the whole day has.
  public int allTicks() {
    return times.length;
  }

  /// Returns the [BarTime] of `tick`.
  public long time(int tick) {
    return times[tick];
  }

  public boolean isClosed() {
    return isClosed;
  }

  /// Takes a bar.
  ///
  /// @param time the [BarTime] of its start
  /// @param values one per field of the model's features, in their order, NaN where there is none;
  ///   not kept
  /// @throws IllegalArgumentException if the number of values is wrong
  /// @throws DataException if a value is infinite: then nothing has changed; or if a feature
  ///   computed from the bar is not finite: then the day is unusable, and no order on it will be
  ///   due again
  /// @throws IllegalStateException if the day is closed
  public BarAnswer bar(long time, float[] values) {
    requireOpen();
    if (values.length != fields) {
      throw new IllegalArgumentException(
          "values must be %d, one for each of %s, was %d"
              .formatted(fields, runtime.model().spec().features().fields(), values.length));
    }
    int tick =
        ticks < times.length && times[ticks] == time ? ticks : Arrays.binarySearch(times, time);
    if (tick < 0) {
      return BarAnswer.OUTSIDE;
    }
    if (tick < ticks) {
      return compare(tick, values);
    }
    for (float value : values) {
      if (Float.isInfinite(value)) {
        throw new DataException(where(tick), "a number, or NaN for none", value);
      }
    }
    passTo(tick);
    System.arraycopy(values, 0, bars, tick * fields, fields);
    take();
    return BarAnswer.TAKEN;
  }

  private BarAnswer compare(int tick, float[] values) {
    boolean wasMissing = true;
    boolean isSame = true;
    for (int i = 0; i < fields; i++) {
      float had = bars[tick * fields + i];
      wasMissing &= Float.isNaN(had);
      isSame &= Float.compare(had, values[i]) == 0;
    }
    if (isSame) {
      return BarAnswer.REPEATED;
    }
    return wasMissing ? BarAnswer.LATE : BarAnswer.CONTRADICTING;
  }

  /// Declares ticks before `time` that have no bar missing. For callers with a clock, so that
  /// decisions do not wait for the next trade.
  ///
  /// @throws IllegalStateException if the day is closed
  public void skipTo(long time) {
    requireOpen();
    passTo(ceiling(time));
  }

  private void passTo(int tick) {
    while (ticks < tick) {
      Arrays.fill(bars, ticks * fields, (ticks + 1) * fields, Float.NaN);
      take();
    }
  }

  /// Takes the bar of the next tick, which has been written.
  private void take() {
    if (isBroken) {
      throw new DataException(
          where(ticks), "a day whose features are finite", "one with an earlier fault");
    }
    int at = ticks * width;
    features.append(bars, ticks * fields, rows, at);
    for (int i = at; i < at + width; i++) {
      if (!Float.isFinite(rows[i])) {
        isBroken = true;
        throw new DataException(where(ticks), "finite features", rows[i]);
      }
    }
    ticks++;
    streams.append(rows, at);
  }

  /// Prepares the day for orders of `side`. With mirrored features each side has its own streams.
  /// Without this call the first order of the side waits for them: they take one step for each tick
  /// that has passed.
  public void follow(Side side) {
    streams.of(side, rows, ticks);
  }

  /// Returns what orders of `side` read.
  List<LiveNetwork.Day> streams(Side side) {
    return streams.of(side, rows, ticks);
  }

  /// Opens an order. An order opened after its start begins at the next tick.
  ///
  /// @param id unique among the orders of the runtime that are not forgotten
  /// @param end when it must be finished, exclusive
  /// @throws IllegalArgumentException if the id is taken, empty or longer than 200 characters, the
  ///   amount is not finite and positive, the window has no tick left, or it has more steps than
  ///   the model takes
  /// @throws IllegalStateException if the day is closed
  public LiveOrder openOrder(
      String id, Side side, double amount, LocalDateTime start, LocalDateTime end) {
    requireOpen();
    return runtime.add(LiveOrder.open(this, id, side, amount, start, end));
  }

  /// Ends the day: its open orders expire, and the runtime forgets it and all of them.
  ///
  /// @throws IllegalStateException if decisions are being taken
  public void close() {
    if (!isClosed) {
      runtime.forget(this);
      isClosed = true;
    }
  }

  void save(DataOutput out) throws IOException {
    out.writeUTF(instrument);
    out.writeLong(date.toEpochDay());
    out.writeInt(times.length);
    for (long time : times) {
      out.writeLong(time);
    }
    features.save(out);
    out.writeInt(ticks);
    for (int i = 0; i < ticks * fields; i++) {
      out.writeFloat(bars[i]);
    }
    for (int i = 0; i < ticks * width; i++) {
      out.writeFloat(rows[i]);
    }
    out.writeBoolean(isBroken);
    for (Side side : Side.values()) {
      out.writeBoolean(streams.has(side));
    }
  }

  static LiveDay restore(DecisionRuntime runtime, DataInput in) throws IOException {
    ModelSpec spec = runtime.model().spec();
    String instrument = in.readUTF();
    LocalDate date = LocalDate.ofEpochDay(in.readLong());
    int count = in.readInt();
    if (count < 1 || count > spec.ticks()) {
      throw new IOException("a day must have 1 to %d ticks, was %d".formatted(spec.ticks(), count));
    }
    long[] times = new long[count];
    for (int i = 0; i < times.length; i++) {
      times[i] = in.readLong();
      if (i > 0 && times[i] <= times[i - 1]) {
        throw new IOException("times must increase, was %d".formatted(times[i]));
      }
    }
    LiveFeatures features = spec.features().restore(in);
    int yesterday = times.length * spec.features().columns().yesterday().size();
    if (features.yesterday().length != yesterday) {
      throw new IOException(
          "yesterday must have %d features, was %d"
              .formatted(yesterday, features.yesterday().length));
    }
    var day = new LiveDay(runtime, instrument, date, times, features);
    day.restore(in);
    return day;
  }

  private void restore(DataInput in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > times.length) {
      throw new IOException("ticks must be at most %d, was %d".formatted(times.length, count));
    }
    for (int i = 0; i < count * fields; i++) {
      bars[i] = in.readFloat();
    }
    for (int i = 0; i < count * width; i++) {
      rows[i] = in.readFloat();
      if (!Float.isFinite(rows[i])) {
        throw new IOException("features must be finite, was " + rows[i]);
      }
    }
    ticks = count;
    isBroken = in.readBoolean();
    // The features have processed the row with the fault, but it does not count as a tick.
    if (features.ticks() != (isBroken ? ticks + 1 : ticks)) {
      throw new IOException(
          "features must have taken %d bars, was %d".formatted(ticks, features.ticks()));
    }
    for (Side side : Side.values()) {
      if (in.readBoolean()) {
        follow(side);
      }
    }
  }

  /// Returns the first tick at or after `time`; [#allTicks] if there is none.
  int ceiling(long time) {
    return OrderWindow.ceiling(times, time);
  }

  OrderWindow window(String id, LocalDateTime start, LocalDateTime end) {
    int ticksPerStep = runtime.model().spec().ticksPerStep();
    return OrderWindow.of(id, instrument, date, times, ticks, ticksPerStep, start, end);
  }

  /// Returns a feature of a tick that has passed, as the network saw it.
  public float feature(int tick, int column) {
    if (tick < 0 || tick >= ticks || column < 0 || column >= width) {
      throw new IndexOutOfBoundsException(
          "feature must be of %d ticks and %d columns, was %d, %d"
              .formatted(ticks, width, tick, column));
    }
    return rows[tick * width + column];
  }

  DecisionRuntime runtime() {
    return runtime;
  }

  LiveFeatures features() {
    return features;
  }

  boolean isBroken() {
    return isBroken;
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("day must be open, was closed: " + this);
    }
  }

  private String where(int tick) {
    return "%s %s".formatted(instrument, BarTime.format(times[tick]));
  }

  @Override
  public String toString() {
    return "%s %s".formatted(instrument, date);
  }
}
