package io.tranche.analysis.record;

import io.tranche.market.DataException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/// One order, decision by decision.
///
/// @param ticks the whole day of the instrument, by time
/// @param firstTick of the order
/// @param fills of each policy, the agent's first
/// @param steps the agent's decisions
public record RecordedOrder(
    List<Tick> ticks, int firstTick, List<Fills> fills, List<Step> steps) {

  /// A bar of the day.
  ///
  /// @param time seconds of local time, as [io.tranche.market.BarTime] has them
  /// @param price NaN where the bar is missing
  /// @param volume NaN where the bar is missing
  public record Tick(long time, double price, double volume) {}

  /// What a policy filled, from the order's first tick on.
  ///
  /// @param prices NaN where nothing was filled
  public record Fills(String policy, List<Double> amounts, List<Double> prices) {

    public Fills {
      amounts = List.copyOf(amounts);
      prices = List.copyOf(prices);
    }
  }

  /// A decision.
  ///
  /// @param tick of the day at which it was taken
  /// @param remaining of the order before it
  /// @param action the number of the choice, or the number that was chosen; NaN if it is neither
  /// @param wanted the amount that was sent
  /// @param filled of it
  /// @param price mean price of what was filled; NaN if nothing was
  /// @param scores of all choices; empty if the agent has none
  /// @param features the newest values that the agent saw; empty if it saw none
  /// @param effects by how much the score of the choice falls if the agent sees the mean of the day
  ///   instead of each feature; empty if that is not known
  public record Step(
      int tick,
      double remaining,
      double action,
      double wanted,
      double filled,
      double price,
      List<Float> scores,
      List<Float> features,
      List<Float> effects) {

    public Step {
      scores = List.copyOf(scores);
      features = List.copyOf(features);
      effects = List.copyOf(effects);
    }
  }

  private static final int MOST_TICKS = 100_000;
  private static final int MOST_NUMBERS = 100_000;
  private static final int MOST_POLICIES = 64;

  public RecordedOrder {
    ticks = List.copyOf(ticks);
    fills = List.copyOf(fills);
    steps = List.copyOf(steps);
  }

  byte[] bytes() {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.writeInt(ticks.size());
      for (Tick tick : ticks) {
        out.writeLong(tick.time());
        out.writeDouble(tick.price());
        out.writeDouble(tick.volume());
      }
      out.writeInt(firstTick);
      out.writeInt(fills.size());
      for (Fills each : fills) {
        out.writeUTF(each.policy());
        out.writeInt(each.amounts().size());
        for (int i = 0; i < each.amounts().size(); i++) {
          out.writeDouble(each.amounts().get(i));
          out.writeDouble(each.prices().get(i));
        }
      }
      out.writeInt(steps.size());
      for (Step step : steps) {
        out.writeInt(step.tick());
        out.writeDouble(step.remaining());
        out.writeDouble(step.action());
        out.writeDouble(step.wanted());
        out.writeDouble(step.filled());
        out.writeDouble(step.price());
        for (List<Float> numbers : List.of(step.scores(), step.features(), step.effects())) {
          out.writeInt(numbers.size());
          for (float number : numbers) {
            out.writeFloat(number);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // an array has none
    }
    return bytes.toByteArray();
  }

  /// @param where the name of the bytes in messages
  /// @throws DataException if they are something else
  static RecordedOrder of(String where, byte[] bytes) {
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int count = count(where, in, MOST_TICKS, 24);
      var ticks = new ArrayList<Tick>(count);
      for (int i = 0; i < count; i++) {
        ticks.add(new Tick(in.readLong(), in.readDouble(), in.readDouble()));
      }
      int first = in.readInt();
      int policies = count(where, in, MOST_POLICIES, 6);
      var fills = new ArrayList<Fills>(policies);
      for (int i = 0; i < policies; i++) {
        String policy = in.readUTF();
        int rows = count(where, in, MOST_TICKS, 16);
        var amounts = new ArrayList<Double>(rows);
        var prices = new ArrayList<Double>(rows);
        for (int row = 0; row < rows; row++) {
          amounts.add(in.readDouble());
          prices.add(in.readDouble());
        }
        fills.add(new Fills(policy, amounts, prices));
      }
      int decisions = count(where, in, MOST_TICKS, 56);
      var steps = new ArrayList<Step>(decisions);
      for (int i = 0; i < decisions; i++) {
        steps.add(
            new Step(
                in.readInt(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                numbers(where, in),
                numbers(where, in),
                numbers(where, in)));
      }
      if (in.available() > 0 || first < 0 || first > ticks.size()) {
        throw new DataException(where, "a recorded order and nothing else", "other bytes");
      }
      return new RecordedOrder(ticks, first, fills, steps);
    } catch (IOException e) {
      throw new DataException(where, "a whole recorded order", "the end too early", e);
    }
  }

  private static List<Float> numbers(String where, DataInputStream in) throws IOException {
    int count = count(where, in, MOST_NUMBERS, 4);
    var numbers = new ArrayList<Float>(count);
    for (int i = 0; i < count; i++) {
      numbers.add(in.readFloat());
    }
    return numbers;
  }

  /// Reads a count, which cannot promise more than the bytes that are left.
  private static int count(String where, DataInputStream in, int most, int bytesEach)
      throws IOException {
    int count = in.readInt();
    if (count < 0 || count > most || (long) count * bytesEach > in.available()) {
      throw new DataException(where, "a count of what follows", count);
    }
    return count;
  }
}
