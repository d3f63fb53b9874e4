package io.tranche.market.feature.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.feature.Bars;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.market.feature.Streaming;
import io.tranche.market.feature.pipeline.FeatureRecipes;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.testkit.Allocation;
import io.tranche.testkit.Cases;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ProvidedFeaturesTest {

  private static final FeatureRecipe ALL = recipe(FeatureProvider.installed(), 0.5f);

  @Test
  void streamedRowsAreTheBatchOnesToTheLastBit() {
    Cases.forAll(
        Cases.count(40, 400),
        random -> {
          int days = random.nextInt(1, 14);
          var bars = Bars.random(random.nextLong(), days, random.nextInt(1, 60), holes(random));
          BarSource damaged = Streaming.damaged(bars, Bars.INSTRUMENT, random);

          int day = random.nextInt(days);
          Streaming.assertEqualsBatch(
              ALL, batch(damaged), damaged, Bars.INSTRUMENT, day, random.nextInt());
        });
  }

  @Test
  void embeddedMarketsStreamAsTheyAreTrainedOn() {
    for (int minutes : new int[] {1, 5}) {
      try (var market = new SyntheticMarket(Streaming.embedded(Frequency.ofMinutes(minutes), 13))) {
        var providers =
            List.<FeatureProvider>of(
                new PriceMoves(), new RelativeVolume(), new TimeOfDay(), new RealisedVolatility());
        var features = ComputedFeatures.of(market, providers, 0, 10);
        for (int day : new int[] {0, 1, 5, 12}) {
          Streaming.assertEqualsBatch(
              recipe(providers, 0), features, market, market.instruments().getFirst(), day, 7);
        }
      }
    }
  }

  @Test
  void aProviderWithoutAStreamIsComputedAnew() {
    var provider = new Typical();
    Cases.forAll(
        20,
        random -> {
          var bars = Bars.random(random.nextLong(), 4, 20, 0.2);

          Streaming.assertEqualsBatch(
              recipe(List.of(provider, new TimeOfDay()), 0),
              ComputedFeatures.of(bars, List.of(provider, new TimeOfDay()), 0, 4),
              bars,
              Bars.INSTRUMENT,
              random.nextInt(4),
              random.nextInt());
        });
  }

  @Test
  void appendingAllocatesNothing() {
    var bars = Bars.random(1, 12, 240, 0.1);
    float[] bar = new float[ALL.fields().size()];
    float[] row = new float[ALL.columns().today().size()];
    long bytes =
        Allocation.settledBytesOf(
            1,
            () -> Streaming.open(ALL, bars.series(), 11),
            day -> Streaming.appendAll(day, 240, bar, row));

    assertThat(bytes).isZero();
  }

  @Test
  void refusesABarAfterTheLastAndADayWithoutAField() {
    var series = Bars.of(1, List.of("close"), new float[] {1, 2}).series();
    var live = Streaming.open(recipe(List.of(new RealisedVolatility(3)), 0), series, 1);
    live.append(new float[1], 0, new float[1], 0);

    assertThatThrownBy(() -> live.append(new float[1], 0, new float[1], 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("day must not be over, was at tick 1");
    assertThatThrownBy(() -> Streaming.open(ALL, series, 1))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected a field bid, was [close]");
  }

  @Test
  void refusesDamagedDays() {
    var bars = Bars.random(3, 4, 12, 0.2);
    var live = Streaming.open(ALL, bars.series(), 3);
    Streaming.appendAll(
        live, 5, new float[ALL.fields().size()], new float[ALL.columns().today().size()]);

    Streaming.assertRefusesDamage(ALL, live);
  }

  @Test
  void configurationReadsBack() {
    FeatureRecipe read = FeatureRecipes.from(ConfigFiles.parse("m", ALL.toConfig().toYaml()));

    assertThat(read).isEqualTo(ALL);
    assertThat(recipe(List.of(new Spread()), 0.1f).toConfig().toYaml())
        .isEqualTo(
            """
            kind: computed
            providers:
              - spread
            columns:
              - $spread
            missing: 0.10000000149011612
            """);
    var given = new GivenFeatures(new FeatureColumns(List.of("$a\"\n"), List.of("b_1", "c_1")));
    assertThat(FeatureRecipes.from(given.toConfig())).isEqualTo(given);
  }

  @Test
  void refusesConfigurationsThatItDoesNotKnow() {
    assertRefused(
        "kind: magic", "m:1: kind: expected given, computed, pipeline or sessions, was 'magic'");
    assertRefused("{kind: given, today: [a], yesterday: [], more: 1}", "'more'");
    assertRefused(
        "{kind: computed, providers: [sprad], columns: [$spread], missing: 0}", "was 'sprad'");
    assertRefused(
        "{kind: computed, providers: [spread], columns: [$other], missing: 0}",
        "expected the columns of the providers, [$spread]");
    assertRefused(
        "{kind: computed, providers: [spread], columns: [$spread], missing: 1e39}",
        "expected a number in single precision");
    assertThatThrownBy(() -> recipe(List.of(new VolumeProfile(3)), 0).toConfig())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "expected a provider with its usual settings: VolumeProfile[days=10]");
  }

  private static void assertRefused(String yaml, String message) {
    assertThatThrownBy(() -> FeatureRecipes.from(ConfigFiles.parse("m", yaml)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  private static FeatureRecipe recipe(List<FeatureProvider> providers, float missing) {
    return new ProvidedFeatures(providers, missing);
  }

  private static FeatureSource batch(BarSource bars) {
    return ComputedFeatures.of(bars, FeatureProvider.installed(), 0.5f, 10);
  }

  private static double holes(SplittableRandom random) {
    return random.nextBoolean() ? 0 : random.nextDouble(0.7);
  }

  /// The close over the mean of yesterday's closes, computed whole days at a time.
  private record Typical() implements FeatureProvider {

    @Override
    public String name() {
      return "typical";
    }

    @Override
    public List<String> columns() {
      return List.of("$typical", "$seen");
    }

    @Override
    public List<String> fields() {
      return List.of("close");
    }

    @Override
    public int earlierDays() {
      return 2;
    }

    @Override
    public void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
      int closes = day.fieldIndex("close");
      float sum = 0;
      for (DayFrame past : earlier) {
        for (int tick = 0; tick < past.ticks(); tick++) {
          sum += Float.isNaN(past.value(closes, tick)) ? 0 : past.value(closes, tick);
        }
      }
      int seen = 0;
      for (int tick = 0; tick < day.ticks(); tick++) {
        seen += Float.isNaN(day.value(closes, tick)) ? 0 : 1;
        target[2 * tick] = day.value(closes, tick) / sum;
        target[2 * tick + 1] = seen;
      }
    }
  }
}
