package io.tranche.benchmarks.runtime;

import io.tranche.config.ConfigFiles;
import io.tranche.env.space.Space;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.DayFrame;
import io.tranche.market.Side;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.weights.Precision;
import io.tranche.policy.weights.Quantiser;
import io.tranche.policy.weights.StateDict;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelSpec;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Qlib's default network on a day of one-minute bars, and such a day: GRU, hidden 64, a decision
/// every half hour. Its weights are random, not trained, which takes the same time.
public final class LiveModel {

  public static final int TICKS = 240;
  public static final int STEPS = 8;
  public static final int TICKS_PER_STEP = TICKS / STEPS;
  public static final int FEATURES = 5;
  static final int CHOICES = 5;
  public static final LocalDate DATE = LocalDate.of(2026, 3, 3);
  public static final LocalDateTime START = DATE.atTime(9, 30);
  public static final LocalDateTime END = DATE.atTime(15, 0);

  private static final List<String> COLUMNS =
      IntStream.range(0, FEATURES).mapToObj(i -> "$f" + i).toList();

  private final ModelSpec spec;
  private final Agent<FullHistoryObservation> agent;
  private final LoadedModel loaded;

  LiveModel(FeatureRecipe features) {
    this(features, 64, Precision.FLOAT32);
  }

  private LiveModel(FeatureRecipe features, int hidden, Precision precision) {
    String actions =
        "{class: CategoricalActionInterpreter, kwargs: {values: %d}}".formatted(CHOICES - 1);
    spec =
        ModelSpec.of(
                ConfigFiles.parse(
                    "network", "{class: Recurrent, kwargs: {hidden_dim: %d}}".formatted(hidden)),
                ConfigFiles.parse("policy", "{class: PPO, kwargs: {lr: 0.0001}}"),
                ConfigFiles.parse("actions", actions),
                features)
            .withQlib(true)
            .withSteps(STEPS, TICKS_PER_STEP);
    agent = spec.agent(new Space.Discrete(CHOICES)).create(new SplittableRandom(1));
    agent.load("drawn", Quantiser.round(weights(), precision, _ -> 1));
    loaded = LoadedModel.of(spec, List.of(weights()));
  }

  /// Returns a model of five features that come with the bars.
  public static LiveModel given() {
    return given(64);
  }

  /// Returns such a model of another width.
  static LiveModel given(int hidden) {
    return given(hidden, Precision.FLOAT32);
  }

  /// Returns such a model whose weights are rounded, so that they are kept in this precision.
  static LiveModel given(int hidden, Precision precision) {
    var yesterday = COLUMNS.stream().map(name -> name + "_1").toList();
    return new LiveModel(
        new GivenFeatures(new FeatureColumns(COLUMNS, yesterday)), hidden, precision);
  }

  public ModelSpec spec() {
    return spec;
  }

  Agent<FullHistoryObservation> agent() {
    return agent;
  }

  public StateDict weights() {
    return agent.weights().stateDict();
  }

  /// Returns an agent that keeps its weights as [#loaded()] does.
  Agent<FullHistoryObservation> packed() {
    Agent<FullHistoryObservation> packed =
        spec.agent(new Space.Discrete(CHOICES)).load("drawn", weights());
    packed.weights().parts().forEach(part -> part.weights().pack());
    return packed;
  }

  LoadedModel loaded() {
    return loaded;
  }

  /// Returns the bars of a day, one row per tick.
  public float[][] drawBars() {
    var random = new SplittableRandom(2);
    float[][] bars = new float[TICKS][spec.features().fields().size()];
    for (float[] bar : bars) {
      for (int i = 0; i < bar.length; i++) {
        bar[i] = (float) random.nextGaussian();
      }
    }
    return bars;
  }

  /// Opens a day with orders over all of it.
  public static LiveDay open(
      DecisionRuntime runtime, String instrument, List<DayFrame> earlier, int orders) {
    LiveDay day = runtime.openDay(instrument, DATE, earlier);
    for (int i = 0; i < orders; i++) {
      openOrder(day, i);
    }
    return day;
  }

  static void openOrder(LiveDay day, int number) {
    Side side = number % 2 == 0 ? Side.BUY : Side.SELL;
    day.openOrder(day.instrument() + number, side, amount(number), START, END);
  }

  public static double amount(int number) {
    return 100_000 + number;
  }
}
