package io.tranche.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.analysis.DailyMeans;
import io.tranche.market.Side;
import io.tranche.testkit.Cases;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrderSummariesTest {

  @Test
  void quantilesAreThoseOfNumpy() {
    var distribution = new Distribution(new double[] {4, 1, 3, 2});

    assertThat(distribution.quantile(0)).isEqualTo(1);
    assertThat(distribution.quantile(0.5)).isEqualTo(2.5);
    assertThat(distribution.quantile(0.95)).isCloseTo(3.85, within(1e-12));
    assertThat(distribution.quantile(1)).isEqualTo(4);
    assertThat(distribution.mean()).isEqualTo(2.5);
    assertThat(distribution.deviation()).isCloseTo(Math.sqrt(5.0 / 3), within(1e-12));
  }

  @Test
  void aHistogramCountsEveryOrderOnceAndHasAnEdgeAtZero() {
    Cases.forAll(
        Cases.count(200, 10_000),
        random -> {
          double scale = Math.pow(10, random.nextInt(-300, 300));
          double[] values =
              random.doubles(random.nextInt(1, 200)).map(x -> scale * (x - 0.3)).toArray();

          Chart.Histogram histogram = new Distribution(values).histogram();

          assertThat(histogram.counts().stream().mapToInt(count -> count).sum())
              .isEqualTo(values.length);
          assertThat(histogram.edges()).hasSize(histogram.counts().size() + 1).contains(0.0);
          assertThat(histogram.counts().size()).isLessThan(50);
        });
  }

  @Test
  void aSingleOrderOfNothingHasAHistogramToo() {
    assertThat(new Distribution(new double[] {0}).histogram().counts()).contains(1);
  }

  @Test
  void quartersHoldEveryOrderOnceAndKeepEqualNumbersTogether() {
    List<OrderRow> rows = IntStream.range(0, 10).mapToObj(i -> sized(i < 6 ? 1 : i)).toList();

    List<Breakdown.Group> groups =
        Breakdown.byQuarters(rows, OrderRow::participation, number -> "" + number.intValue());

    assertThat(groups).extracting(Breakdown.Group::label).containsExactly("1", "6", "7 to 9");
    assertThat(groups).extracting(group -> group.difference().orders()).containsExactly(6, 1, 3);
  }

  @Test
  void ofManyInstrumentsTheBestAndTheWorstAreShown() {
    List<OrderRow> rows =
        IntStream.range(0, 9).mapToObj(i -> Samples.row("I" + i, Side.BUY, 0, 9, i)).toList();

    assertThat(Breakdown.ranked(rows, row -> row.order().instrument(), 4))
        .extracting(Breakdown.Group::label)
        .containsExactly("I8", "I7", "I1", "I0");
  }

  @Test
  void anUnknownOrEqualNumberGivesNoGroups() {
    assertThat(
            Breakdown.byQuarters(
                List.of(sized(Double.NaN)), OrderRow::participation, "%s"::formatted))
        .isEmpty();
    assertThat(
            Breakdown.byQuarters(
                List.of(sized(1), sized(1)), OrderRow::participation, "%s"::formatted))
        .isEmpty();
  }

  private static OrderRow sized(double participation) {
    return new OrderRow(
        Samples.order("A", Side.BUY, 0, 9),
        1,
        1,
        Double.NaN,
        Double.NaN,
        participation,
        Double.NaN);
  }

  @Test
  void daysAreAddedUpByTheirMeans() {
    List<OrderRow> rows =
        Arrays.asList(
            Samples.row("A", Side.BUY, 0, 9, 1),
            Samples.row("B", Side.BUY, 0, 9, 3),
            Samples.row("A", Side.BUY, 40, 9, -5));

    DailyMeans daily = Breakdown.daily(rows);

    assertThat(daily.cumulative(daily.bps().keySet())).containsExactly(2.0, -3.0);
    assertThat(daily.bps().keySet())
        .containsExactly(LocalDate.of(2024, 1, 2), LocalDate.of(2024, 2, 11));
    assertThat(daily.byMonth().values()).containsExactly(List.of(2.0), List.of(-5.0));
  }

  @Test
  void anExampleShowsWhatRemainedAgainstTheLineOfTwap() {
    Chart.OrderDay chart = ExampleSection.chart(Samples.example(""));

    assertThat(chart.from()).isEqualTo(2);
    assertThat(chart.to()).isEqualTo(6);
    assertThat(chart.remaining().subList(2, 6)).containsExactly(750.0, 750.0, 0.0, 0.0);
    assertThat(chart.twapRemaining().subList(2, 6)).containsExactly(750.0, 500.0, 250.0, 0.0);
    assertThat(chart.remaining().get(6)).isNaN();
  }

  @Test
  void aSmallLossIsNotALossOfNothing() {
    assertThat(Format.bps(-0.04)).isEqualTo("0.0");
    assertThat(Format.bps(-1.25)).isEqualTo("\u22121.3");
    assertThat(Format.bps(Double.NaN)).isEqualTo("–");
    assertThat(Format.large(12_345_678)).isEqualTo("12.3\u00a0m");
  }
}
