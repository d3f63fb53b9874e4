package io.tranche.market.feature.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarSource;
import io.tranche.market.Frequency;
import io.tranche.market.feature.Bars;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.Streaming;
import io.tranche.market.feature.pipeline.FeatureRecipes;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.testkit.Cases;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionFeaturesTest {

  /// One for every operator that can be computed bar by bar.
  private static final List<String> EVERY_OPERATOR =
      List.of(
          "$close/Ref($close,1)-1",
          "Abs($close-$open)",
          "Sign($close-$open)",
          "Log($close/$open)",
          "If(Not($close>$open), 1.0, $volume)",
          "If(IsNull($close), 0.0, $close)",
          "If(IsInf($close), 0.0, $close)",
          "FFillNan($close)",
          "Ref(DayLast($close), %d)/$close-1",
          "Date($close)-19000",
          "$close+$open*2-$volume/3",
          "Power($close, 2)",
          "Greater($close, $open)-Less($close, $open)",
          "If(($close>=$open)&($close<1000000)|($open==$close), $close, $open)",
          "If($close<=$open, 1.0, 0.0)+If($close!=$open, 1.0, 0.0)",
          "Delta($close, 3)",
          "Mean($close, 5)",
          "Sum($volume, 7)",
          "Std($close, 5)",
          "Var($close, 5)",
          "Max($close, 5)",
          "Min($close, 5)",
          "Med($close, 5)",
          "Count($close>$open, 5)",
          "Mad($close, 5)",
          "IdxMax($close, 5)",
          "IdxMin($close, 5)",
          "Rank($close, 5)",
          "Slope($close, 5)",
          "Rsquare($close, 5)",
          "Resi($close, 5)",
          "WMA($close, 5)",
          "EMA($close, 5)",
          "EMA($close, 0.3)",
          "Quantile($close, 5, 0.3)",
          "Corr($close, $volume, 6)",
          "Cov($close, $volume, 6)",
          "Mean($close, 50)/FFillNan(Ref($close, 3))");

  @Test
  void everyOperatorStreamsWithTheBitsOfTheBatch() {
    Cases.forAll(
        Cases.count(10, 100),
        random -> {
          int days = random.nextInt(1, 8);
          int ticks = random.nextInt(4, 30);
          BarSource bars =
              Streaming.damaged(
                  Bars.random(random.nextLong(), days, ticks, 0.2), Bars.INSTRUMENT, random);

          assertStreams(all(ticks), bars, random.nextInt(days), random.nextInt());
        });
  }

  @Test
  void halfDaysStreamAsTheyAreTrainedOn() {
    try (var market = new SyntheticMarket(Streaming.embedded(Frequency.ofMinutes(15), 9))) {
      for (int day : new int[] {0, 1, 4, 8}) {
        var features = ComputedFeatures.of(market, List.of(all(16)), 0, 10);
        Streaming.assertEqualsBatch(
            features.recipe(), features, market, market.instruments().getFirst(), day, 3);
      }
    }
  }

  private static void assertStreams(ExpressionFeatures all, BarSource bars, int day, long seed) {
    var batch = ComputedFeatures.of(bars, List.of(all, new TimeOfDay()), 0.25f, 4);
    FeatureRecipe recipe =
        FeatureRecipes.from(ConfigFiles.parse("bundle", batch.recipe().toConfig().toYaml()));

    assertThat(recipe.toConfig().toYaml()).isEqualTo(batch.recipe().toConfig().toYaml());
    Streaming.assertEqualsBatch(recipe, batch, bars, Bars.INSTRUMENT, day, seed);
    assertThat(CausalityCheck.find(all, bars.series(Bars.INSTRUMENT), day)).isNull();
  }

  private static ExpressionFeatures all(int ticks) {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < EVERY_OPERATOR.size(); i++) {
      map.put(
          "e" + i, Map.of("expression", EVERY_OPERATOR.get(i).formatted(ticks), "turns", false));
    }
    return ExpressionFeatures.from(ConfigFiles.of("test", Map.of("expressions", map)), ticks);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "$close/Ref($close,1)-1 | true",
        "Log($close/$open) | true",
        "Slope($close, 10)/$close | true",
        "Corr($close, $volume, 20) | true",
        "($high-$low)/$close | false",
        "Std($close/Ref($close,1)-1, 10) | false",
        "$volume/Mean($volume, 20)-1 | false",
        "($ask-$bid)/$close | false",
        "0*$close | false"
      })
  void findsOutWhatTurnsWithPrices(String expression, boolean turns) {
    ExpressionFeatures features = features("{gap: \"%s\"}".formatted(expression));

    assertThat(features.formulas().getFirst().turns()).isEqualTo(turns);
    assertThat(features.columns()).containsExactly(turns ? "$turned_gap" : "$x_gap");
  }

  @ParameterizedTest
  @ValueSource(strings = {"$close", "$close/Ref($close,1)"})
  void asksWhereItIsNotClear(String expression) {
    assertThatThrownBy(() -> features("{gap: \"%s\"}".formatted(expression)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected an expression around 0 whose sign follows prices");
    assertThat(features("{gap: {expression: \"%s\", turns: true}}".formatted(expression)).columns())
        .containsExactly("$turned_gap");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Ref($close, -1)/$close-1",
        "BFillNan($close)",
        "DayLast($close)/$close-1",
        "Mean($close, 0)",
        "Ref($close, 0)",
        "Cut($close, 5, None)",
        "Skew($volume, 6)",
        "Kurt($volume, 6)",
        "Select($close>1, $close)",
        "DayCumsum($volume, '9:30', '14:59', 1)/100-1",
        "Mean($close",
        "Mean($clos"
      })
  void refusesWhatCannotStream(String expression) {
    assertThatThrownBy(() -> features("{gap: \"%s\"}".formatted(expression)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("test:1: expressions.gap: expected ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | expressions: expected at least one expression",
        "{Gap: $volume} | expressions: expected names of small letters and digits that do not end in _1, was Gap",
        "{gap_1: $volume} | expected names of small letters and digits that do not end in _1, was gap_1",
        "{gap: {expresion: $volume}} | (nearest: expression)",
        "{gap: \"Mean($volume, 60000)\"} | expected expressions that reach back 250 days at most"
      })
  void refusesWrongSettings(String expressions, String message) {
    assertThatThrownBy(() -> features(expressions))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void seesAsManyDaysAsItReachesBack() {
    assertThat(features("{a: $volume}").days()).isZero();
    assertThat(features("{a: \"FFillNan($volume)\"}").days()).isEqualTo(1);
    assertThat(features("{a: \"Ref($volume, 1)\"}").days()).isEqualTo(2);
    assertThat(features("{a: \"Mean($volume, 480)\"}").days()).isEqualTo(5);
  }

  private static ExpressionFeatures features(String expressions) {
    ConfigNode config = ConfigFiles.parse("test", "expressions: " + expressions + "\n");
    return ExpressionFeatures.from(config, 240);
  }
}
