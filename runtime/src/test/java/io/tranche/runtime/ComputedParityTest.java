package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.execution.CachedTicks;
import io.tranche.execution.TickSource;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.market.Side;
import io.tranche.market.feature.FeatureProgress;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.feature.pipeline.FeaturePipeline;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.feature.provider.FeatureProvider;
import io.tranche.market.feature.provider.PriceMoves;
import io.tranche.market.feature.provider.ProvidedFeatures;
import io.tranche.market.feature.provider.RelativeVolume;
import io.tranche.market.feature.provider.TimeOfDay;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.synthetic.SyntheticConfig.Incidents;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.testkit.Cases;
import io.tranche.testkit.MarketBars.Columns;
import io.tranche.testkit.MarketBars.Kind;
import io.tranche.testkit.MarketBars;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Bundles on the embedded market, their features computed from bars as these come: decisions are
/// those of the weights in the simulator on whole days, to the last bit, and know nothing of bars
/// to come.
@TestInstance(Lifecycle.PER_CLASS)
class ComputedParityTest {

  private static final int DAYS = 36;
  private static final int FIRST_DAY = 32;
  private static final Frequency FREQUENCY = Frequency.ofMinutes(5);
  private static final int TICKS_PER_STEP = 6;
  private static final List<FeatureProvider> PROVIDERS =
      List.of(new PriceMoves(), new RelativeVolume(), new TimeOfDay());

  /// One way to have features: of whole days, and as a recipe.
  private record Features(FeatureSource batch, FeatureRecipe recipe) {}

  @TempDir static Path folder;

  private final BarSource bars =
      new SyntheticMarket(
          SyntheticConfig.DEFAULT
              .withSeed(3)
              .withSize(1, DAYS)
              .withBars(Session.CHINA_STOCKS, FREQUENCY)
              .withIncidents(Incidents.NONE));

  private final String instrument = bars.instruments().getFirst();
  private final BarSeries series = bars.series(instrument);
  private final TickSource ticks = CachedTicks.of(bars, DealPrice.CLOSE, DAYS);
  private final List<Features> features = new ArrayList<>();

  @BeforeAll
  void makeFeatures() throws IOException {
    features.add(
        new Features(
            ComputedFeatures.of(bars, PROVIDERS, 0, DAYS), new ProvidedFeatures(PROVIDERS, 0)));
    Calendar calendar = series.calendar();
    long start = BarTime.of(calendar.date(4));
    long end = calendar.time(calendar.size() - 1);
    var groups = new LinkedHashMap<>(Map.of("price", 8));
    groups.put("volume", 2);
    var config =
        FeatureConfig.qlib(start, end, 48, List.of("$open", "$high", "$low", "$close"), groups);
    var store = FeaturePipeline.run(bars, config, folder.resolve("store"), 1, FeatureProgress.NONE);
    features.add(
        new Features(store.features(TestModel.COLUMNS, DAYS), store.recipe(TestModel.COLUMNS)));
  }

  @AfterAll
  void close() {
    features.forEach(each -> each.batch.close());
  }

  /// Draws a model and takes it through a file.
  private TestModel draw(FeatureRecipe recipe, boolean mirrors, long seed) {
    ModelSpec spec =
        TestModel.over(
            TestModel.plainSpec().withFeatures(recipe),
            Session.CHINA_STOCKS,
            FREQUENCY,
            TICKS_PER_STEP,
            mirrors);
    return TestModel.draw(spec, 1, seed);
  }

  private static LoadedModel throughAFile(TestModel model) {
    Path file = folder.resolve("model.tranche");
    BundleFile.write(
        file,
        new ModelBundle(
            model.spec(),
            List.of(model.agents().getFirst().weights().stateDict()),
            Bundles.of(1).lineage(),
            Map.of()));
    return LoadedModel.open(file);
  }

  private Order draw(SplittableRandom random, int day) {
    DayFrame frame = frame(day);
    int first = random.nextInt(frame.ticks());
    int end = random.nextInt(first + 1, frame.ticks() + 1);
    return new Order(
        instrument,
        random.nextBoolean() ? Side.BUY : Side.SELL,
        random.nextDouble(1, 10_000),
        BarTime.dateTime(frame.time(first)),
        BarTime.dateTime(frame.time(end - 1) + FREQUENCY.seconds()));
  }

  private DayFrame frame(int day) {
    return Objects.requireNonNull(series.day(day));
  }

  private List<DayFrame> earlier(int day) {
    var days = new ArrayList<DayFrame>();
    for (int i = 0; i < day; i++) {
      days.add(frame(i));
    }
    return days;
  }

  private float[] bar(FeatureRecipe recipe, int day, int tick) {
    DayFrame frame = frame(day);
    float[] bar = new float[recipe.fields().size()];
    for (int i = 0; i < bar.length; i++) {
      bar[i] = frame.value(frame.fieldIndex(recipe.fields().get(i)), tick);
    }
    return bar;
  }

  @Test
  void bundlesDecideAsTheirWeightsDoInTheSimulator() {
    Set<Integer> choices = new HashSet<>();
    for (Features each : features) {
      for (int i = 0; i < Cases.count(12, 300); i++) {
        var random = new SplittableRandom(i);
        TestModel model = draw(each.recipe, i % 2 == 0, i);
        int day = random.nextInt(FIRST_DAY, DAYS);
        Order order = draw(random, day);
        List<TestDay.Simulated> expected = TestDay.simulate(model, order, ticks, each.batch);
        var runtime = new DecisionRuntime(throughAFile(model));
        LiveDay live = runtime.openDay(instrument, order.date(), earlier(day));
        LiveOrder streamed =
            live.openOrder("1", order.side(), order.amount(), order.start(), order.end());
        int step = 0;
        for (int tick = 0; tick < live.allTicks(); tick++) {
          if (streamed.isDue()) {
            TestDay.Simulated simulated = expected.get(step++);
            streamed.decide();
            choices.add(streamed.choice());
            assertThat(streamed.choice()).isEqualTo(simulated.choice());
            assertThat(streamed.volume())
                .isEqualTo(simulated.isLast() ? streamed.remaining() : simulated.volume());
            if (!simulated.isLast() && simulated.filled() > 0) {
              streamed.fill(simulated.filled(), simulated.price());
            }
          }
          live.bar(live.time(tick), bar(each.recipe, day, tick));
        }
        assertThat(step).isEqualTo(expected.size());
      }
    }
    assertThat(choices).hasSizeGreaterThan(2);
  }

  /// Nobody tells a live day that it will be short, and there is no day before it.
  @Test
  void aShortFirstDayHasTheFeaturesOfTheBatch() {
    var market = new MarketBars(Kind.US_STOCKS, 15, Columns.HIGHS_AND_LOWS, 8, 7);
    Path file = market.write(folder);
    try (BarSource days = BarFiles.openSessions(file, ColumnMapping.DEFAULT);
        FeatureSource batch = ComputedFeatures.of(days, PROVIDERS, 0, DAYS)) {
      var recipe = new ProvidedFeatures(PROVIDERS, 0);
      ModelSpec spec =
          TestModel.over(
              TestModel.plainSpec().withFeatures(recipe),
              Session.US_STOCKS,
              Frequency.ofMinutes(15),
              2,
              false);
      DayFrame first = Objects.requireNonNull(days.series("USSTOCKS0").day(0));
      LiveDay live =
          TestModel.draw(spec, 1, 1).newRuntime().openDay("USSTOCKS0", first.date(), List.of());

      assertThat(first.ticks()).isLessThan(live.allTicks());
      for (int tick = 0; tick < first.ticks(); tick++) {
        float[] bar = new float[recipe.fields().size()];
        for (int i = 0; i < bar.length; i++) {
          bar[i] = first.value(first.fieldIndex(recipe.fields().get(i)), tick);
        }
        live.bar(live.time(tick), bar);
        for (int column = 0; column < recipe.columns().today().size(); column++) {
          assertThat(live.feature(tick, column))
              .as(recipe.columns().today().get(column))
              .isEqualTo(batch.day("USSTOCKS0", first.date()).today(tick, column));
        }
      }
    }
  }

  /// What happens to a bar.
  private enum Change {
    MISSING,
    DOUBLED,
    NOISE
  }

  private static float[] changed(float[] bar, Change change, SplittableRandom random) {
    float[] other = bar.clone();
    for (int i = 0; i < other.length; i++) {
      other[i] =
          switch (change) {
            case MISSING -> Float.NaN;
            case DOUBLED -> 2 * bar[i];
            case NOISE -> (float) (bar[i] * random.nextDouble(0.5, 2));
          };
    }
    return other;
  }

  @Test
  void noDecisionKnowsABarToCome() {
    int later = 0;
    for (Features each : features) {
      for (int i = 0; i < Cases.count(20, 500); i++) {
        var random = new SplittableRandom(i);
        TestModel model = draw(each.recipe, i % 2 == 0, i);
        int day = random.nextInt(FIRST_DAY, DAYS);
        int after = random.nextInt(frame(day).ticks());
        Change change = Change.values()[i % Change.values().length];
        List<String> usual = decisions(model, each.recipe, day, Integer.MAX_VALUE, change, random);

        List<String> other = decisions(model, each.recipe, day, after, change, random);

        // The decision at a tick sees the bars before it.
        int same = (after + 1) / TICKS_PER_STEP + 1;
        assertThat(other.subList(0, Math.min(same, other.size())))
            .isEqualTo(usual.subList(0, Math.min(same, usual.size())));
        later += other.equals(usual) ? 0 : 1;
      }
    }
    assertThat(later).as("days on which bars to come changed what came later").isPositive();
  }

  /// Returns what is decided over the whole day, half of each child order being filled.
  ///
  /// @param after bars later than this tick are changed
  private List<String> decisions(
      TestModel model,
      FeatureRecipe recipe,
      int day,
      int after,
      Change change,
      SplittableRandom random) {
    DecisionRuntime runtime = model.newRuntime();
    LiveDay live = runtime.openDay(instrument, frame(day).date(), earlier(day));
    LiveOrder order =
        live.openOrder(
            "1",
            Side.BUY,
            1e6,
            BarTime.dateTime(live.time(0)),
            BarTime.dateTime(live.time(live.allTicks() - 1) + 1));
    var decided = new ArrayList<String>();
    for (int tick = 0; tick < live.allTicks(); tick++) {
      if (order.isDue()) {
        order.decide();
        decided.add("%d: %d of %s".formatted(tick, order.choice(), order.volume()));
        if (order.working() > 0) {
          order.fill(order.working() / 2, 10);
        }
      }
      float[] bar = bar(recipe, day, tick);
      live.bar(live.time(tick), tick > after ? changed(bar, change, random) : bar);
    }
    return decided;
  }
}
