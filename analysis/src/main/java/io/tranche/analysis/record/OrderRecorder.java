package io.tranche.analysis.record;

import io.tranche.analysis.Yardsticks;
import io.tranche.analysis.judge.Judgement;
import io.tranche.analysis.record.RecordHeader.ScoreKind;
import io.tranche.analysis.record.RecordedOrder.Fills;
import io.tranche.analysis.record.RecordedOrder.Step;
import io.tranche.analysis.record.RecordedOrder.Tick;
import io.tranche.analysis.report.OrderRow;
import io.tranche.backtest.DayTicks;
import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.agent.Scores;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Records how judged orders were executed: every order as a row, and some of them, or all,
/// decision by decision.
///
/// @param player of the judged orders
/// @param candidate that was judged
/// @param agent behind the candidate; null if its scores are not known
/// @param bars that VWAP needs; null without VWAP
/// @param <O> what the agent sees
public record OrderRecorder<O extends Observation>(
    OrderPlayer player,
    Candidate<O> candidate,
    @Nullable Agent<O> agent,
    @Nullable BarSource bars) {

  /// To record every order decision by decision.
  public static final int ALL = Integer.MAX_VALUE;

  /// How many are replayed before they are written, so that memory stays small.
  private static final int GROUP = 256;

  /// Replays orders and writes the record.
  ///
  /// @param sample how many orders are recorded decision by decision: evenly spread from the worst
  ///   to the best, so that nobody picks by taste
  /// @throws io.tranche.market.DataException if the file cannot be written
  public void write(Path file, Judgement judgement, int sample, ParallelFor parallel) {
    List<OrderResult> results = judgement.assessment().agent().orders();
    int[] chosen = sample(results, sample);
    try (var writer = new OrderRecordWriter(file, results.size())) {
      for (int from = 0; from < chosen.length; from += GROUP) {
        int first = from;
        var replayed = new RecordedOrder[Math.min(GROUP, chosen.length - from)];
        parallel.run(replayed.length, (i, _) -> replayed[i] = replay(chosen[first + i]));
        for (int i = 0; i < replayed.length; i++) {
          writer.add(chosen[first + i], replayed[i]);
        }
      }
      columns(writer, judgement, results);
    }
  }

  private static int[] sample(List<OrderResult> results, int sample) {
    int[] ranked =
        IntStream.range(0, results.size())
            .boxed()
            .sorted(Comparator.comparingDouble(i -> results.get(i).netAdvantageBps()))
            .mapToInt(Integer::intValue)
            .toArray();
    int count = Math.min(sample, ranked.length);
    return IntStream.range(0, count)
        .map(i -> ranked[count == 1 ? 0 : (int) ((long) i * (ranked.length - 1) / (count - 1))])
        .sorted()
        .toArray();
  }

  private void columns(OrderRecordWriter writer, Judgement judgement, List<OrderResult> results) {
    var names = new TreeSet<>(results.stream().map(result -> result.order().instrument()).toList());
    List<String> instruments = List.copyOf(names);
    Map<String, Integer> numbers = new LinkedHashMap<>();
    instruments.forEach(name -> numbers.put(name, numbers.size()));
    writer.column(
        RecordedOrders.INSTRUMENT,
        Integer.BYTES,
        i -> numbers.getOrDefault(results.get(i).order().instrument(), 0));
    writer.column(RecordedOrders.SIDE, 1, i -> results.get(i).order().side().code());
    writer.column(
        RecordedOrders.START, Long.BYTES, i -> BarTime.of(results.get(i).order().start()));
    writer.column(RecordedOrders.END, Long.BYTES, i -> BarTime.of(results.get(i).order().end()));
    add(writer, RecordedOrders.AMOUNT, results, result -> result.order().amount());
    add(writer, "filled", results, OrderResult::filled);
    add(writer, "completion", results, OrderResult::completion);
    add(writer, "price", results, OrderResult::averagePrice);
    add(writer, "benchmark", results, OrderResult::benchmarkPrice);
    add(writer, "advantage", results, OrderResult::advantageBps);
    add(writer, "cost", results, OrderResult::costBps);
    add(writer, "net", results, OrderResult::netAdvantageBps);
    List<OrderRow> rows = judgement.orders();
    writer.numbers("participation", i -> rows.get(i).participation());
    var references = new ArrayList<String>();
    Yardsticks yardsticks = judgement.yardsticks();
    var others = new ArrayList<PolicyResults>(List.of(yardsticks.twap()));
    if (yardsticks.vwap() != null) {
      others.add(yardsticks.vwap());
    }
    others.add(yardsticks.oracle());
    for (PolicyResults other : others) {
      references.add(other.policy());
      add(
          writer,
          RecordedOrders.NET + other.policy(),
          other.orders(),
          OrderResult::netAdvantageBps);
    }
    writer.commit(scores(), features(), references, instruments);
  }

  private static void add(
      OrderRecordWriter writer,
      String name,
      List<OrderResult> results,
      ToDoubleFunction<OrderResult> number) {
    writer.numbers(name, i -> number.applyAsDouble(results.get(i)));
  }

  private ScoreKind scores() {
    if (agent == null || newScores() == null) {
      return ScoreKind.NONE;
    }
    if (agent instanceof ActorCritic<O> actor) {
      return actor.actions().bounds() == null ? ScoreKind.PROBABILITIES : ScoreKind.NUMBERS;
    }
    return ScoreKind.VALUES;
  }

  private @Nullable Scores<O> newScores() {
    try {
      return agent == null ? null : agent.newScores(1);
    } catch (ConfigException _) {
      return null; // a rule, or an agent of a plug-in
    }
  }

  private List<String> features() {
    return candidate.states() instanceof FullHistoryInterpreter history
        ? history.source().columns().today()
        : List.of();
  }

  /// A decision before its fills are known.
  private record Decision(
      double action, List<Float> scores, List<Float> features, List<Float> effects) {}

  private RecordedOrder replay(int index) {
    var decisions = new ArrayList<Decision>();
    var watched =
        new Candidate<>(
            candidate.name(),
            candidate.states(),
            candidate.actions(),
            rows -> watching(candidate.policies().apply(rows), decisions),
            candidate.guard());
    ExecutionState state = player.replay(watched, index, _ -> {}).state();
    var fills = new ArrayList<Fills>();
    fills.add(fills(candidate.name(), state));
    fills.add(fills("TWAP", end(Yardsticks.twapRule(), index)));
    if (bars != null) {
      fills.add(fills("VWAP", end(Yardsticks.vwapRule(bars), index)));
    }
    fills.add(fills("oracle", end(Yardsticks.oracleRule(player), index)));
    var steps = new ArrayList<Step>();
    for (int i = 0; i < decisions.size(); i++) {
      steps.add(step(state, i, decisions.get(i)));
    }
    return new RecordedOrder(ticks(state.ticks()), state.firstTick(), fills, steps);
  }

  private <P extends Observation> ExecutionState end(Candidate<P> rule, int index) {
    return player.replay(rule, index, _ -> {}).state();
  }

  private Policy<O> watching(Policy<O> policy, List<Decision> decisions) {
    Scores<O> scores = newScores();
    return (observations, keys, mode) -> {
      Action[] actions = policy.act(observations, keys, mode);
      O seen = observations.getFirst();
      double action =
          switch (actions[0]) {
            case Action.Discrete(int choice) -> choice;
            case Action.Continuous(double number) -> number;
            case Action.Vector _ -> Double.NaN;
          };
      List<Float> found = List.of();
      List<Float> effects = List.of();
      if (scores != null) {
        found = list(scores.of(observations), scores.choices());
        int choice = actions[0] instanceof Action.Discrete(int number) ? number : 0;
        effects =
            seen instanceof FullHistoryObservation whole
                ? effects(scores, whole, choice, found.get(choice))
                : List.of();
      }
      decisions.add(
          new Decision(
              action,
              found,
              seen instanceof FullHistoryObservation whole ? newest(whole) : List.of(),
              effects));
      return actions;
    };
  }

  private static List<Float> list(float[] numbers, int count) {
    var list = new ArrayList<Float>(count);
    for (int i = 0; i < count; i++) {
      list.add(numbers[i]);
    }
    return list;
  }

  private static List<Float> newest(FullHistoryObservation seen) {
    int tick = seen.visibleTicks() - 1;
    return IntStream.range(0, seen.todayWidth())
        .mapToObj(column -> tick < 0 ? Float.NaN : seen.today(tick, column))
        .toList();
  }

  /// Returns by how much the score of the choice falls without each feature.
  @SuppressWarnings("unchecked") // what is seen instead is of the same type
  private static <O extends Observation> List<Float> effects(
      Scores<O> scores, FullHistoryObservation seen, int choice, float score) {
    var effects = new ArrayList<Float>();
    for (int column = 0; column < seen.todayWidth(); column++) {
      var hidden = (O) seen.withFeatures(without(seen.features(), column));
      effects.add(score - scores.of(List.of(hidden))[choice]);
    }
    return effects;
  }

  /// Returns a day on which a feature of today, and the one of the same name of yesterday, always
  /// has its mean.
  private static DayFeatures without(DayFeatures day, int column) {
    FeatureColumns columns = day.columns();
    int width = columns.today().size();
    int ticks = day.ticks();
    float[] today = new float[ticks * width];
    day.copyToday(0, ticks, today, 0);
    flatten(today, width, column);
    int before = columns.yesterday().size();
    float[] yesterday = new float[ticks * before];
    day.copyYesterday(0, ticks, yesterday, 0);
    int same = columns.yesterday().indexOf(columns.today().get(column));
    if (same >= 0) {
      flatten(yesterday, before, same);
    }
    long[] times = new long[ticks];
    Arrays.setAll(times, day::time);
    return DayFeatures.wrap(day.instrument(), day.date(), columns, times, today, yesterday);
  }

  private static void flatten(float[] matrix, int width, int column) {
    double sum = 0;
    int count = 0;
    for (int i = column; i < matrix.length; i += width) {
      if (Float.isFinite(matrix[i])) {
        sum += matrix[i];
        count++;
      }
    }
    float mean = count == 0 ? 0 : (float) (sum / count);
    for (int i = column; i < matrix.length; i += width) {
      matrix[i] = mean;
    }
  }

  private static List<Tick> ticks(DayTicks day) {
    return IntStream.range(0, day.count())
        .mapToObj(tick -> new Tick(day.time(tick), day.price(tick), day.volume(tick)))
        .toList();
  }

  private static Fills fills(String policy, ExecutionState state) {
    var amounts = new ArrayList<Double>();
    var prices = new ArrayList<Double>();
    for (int row = 0; row < state.rows(); row++) {
      amounts.add(state.filled(row));
      prices.add(state.filled(row) > 0 ? state.tradePrice(row) : Double.NaN);
    }
    return new Fills(policy, amounts, prices);
  }

  private static Step step(ExecutionState state, int index, Decision decision) {
    int from = state.firstRow(index);
    int to = index + 1 < state.step() ? state.firstRow(index + 1) : state.rows();
    double filled = 0;
    double paid = 0;
    for (int row = from; row < to; row++) {
      if (state.filled(row) > 0) {
        filled += state.filled(row);
        paid += state.filled(row) * state.tradePrice(row);
      }
    }
    return new Step(
        state.firstTick() + from,
        index == 0 ? state.order().amount() : state.remainingAfter(index - 1),
        decision.action(),
        state.requested(index),
        filled,
        filled > 0 ? paid / filled : Double.NaN,
        decision.scores(),
        decision.features(),
        decision.effects());
  }
}
