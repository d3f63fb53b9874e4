package io.tranche.analysis.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SelectionTest {

  private static final int DAYS = 20;
  private static final PolicyResults TWAP = results("TWAP", 0, 0, 1);

  @Test
  void theBestLowerBoundWinsAndNotTheBestMean() {
    Selection selection =
        Selection.of(
            List.of(results("noise", 0, 5, 2), results("sure", 6, 2, 3), results("wild", 8, 20, 4)),
            TWAP);

    assertThat(selection.checkpoints().get(selection.winner()).name()).isEqualTo("sure");
    assertThat(selection.reason()).startsWith("sure, the best lower bound of 3 (");
  }

  @Test
  void oneThatIsFarBetterThanTheFirstIsTaken() {
    Selection selection =
        Selection.of(List.of(results("first", 3, 1, 3), results("far", 20, 1, 4)), TWAP);

    assertThat(selection.winner()).isEqualTo(1);
    assertThat(selection.reason()).startsWith("far, the best lower bound of 2 (");
  }

  @Test
  void whereNoneIsBetterTheReasonSaysSo() {
    var all = new ArrayList<PolicyResults>();
    for (int i = 0; i < 10; i++) {
      all.add(results("c" + i, 0, 10, i + 10));
    }

    Selection selection = Selection.of(all, TWAP);

    double low = selection.checkpoints().get(selection.winner()).overTwap().together().low();
    assertThat(selection.checkpoints()).allMatch(each -> each.overTwap().together().low() <= low);
    assertThat(selection.reason()).contains("none is shown to be better than TWAP");
  }

  @Test
  void oneSideAloneIsNotBetter() {
    PolicyResults late = tilted();

    Selection selection = Selection.of(List.of(late), TWAP);

    TestedCheckpoint tested = selection.checkpoints().getFirst();
    assertThat(tested.overTwap().together().meanBps()).isPositive();
    assertThat(tested.adjustedPValue()).isLessThan(0.05);
    assertThat(tested.isBetter()).isFalse();
  }

  @Test
  void givesQlibsTable() {
    Selection selection = Selection.of(List.of(results("a", 2, 0, 1), results("b", 4, 0, 1)), TWAP);

    assertThat(selection.meanBps()).isCloseTo(3, within(1e-12));
    assertThat(selection.deviationBps()).isCloseTo(Math.sqrt(2), within(1e-12));
  }

  @Test
  void otherOrdersCannotBeCompared() {
    var fewer = new PolicyResults("fewer", TWAP.orders().subList(1, 4));

    assertThatThrownBy(() -> Selection.of(List.of(fewer), TWAP))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Selection.of(List.of(), TWAP))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void holmMultipliesAndNeverFalls() {
    assertThat(Selection.holm(new double[] {0.04, 0.01, 0.03}))
        .containsExactly(new double[] {0.06, 0.03, 0.06}, within(1e-12));
    assertThat(Selection.holm(new double[] {0.9, 0.8})).containsExactly(1, 1);
  }

  /// What `scipy.stats.wilcoxon` gives, exact without ties, and by hand.
  @Test
  void signedRanksAreThoseOfTheTextbook() {
    assertThat(SignedRanks.pValue(new double[] {1, 2, 3, 4, 5})).isCloseTo(2 / 32.0, within(1e-12));
    assertThat(SignedRanks.pValue(new double[] {-1, 2, 3, 4, 5}))
        .isCloseTo(4 / 32.0, within(1e-12));
    assertThat(SignedRanks.pValue(new double[] {0, 0})).isEqualTo(1);
    assertThat(SignedRanks.pValue(new double[] {1, -1, 1, -1})).isEqualTo(1);
  }

  /// On both sides of the limit between exact numbers and the normal approximation, which corrects
  /// for continuity.
  @Test
  void manyDaysHaveTheValuesOfScipy() {
    assertThat(SignedRanks.pValue(scattered(49))).isCloseTo(0.01696513917495679, within(1e-12));
    assertThat(SignedRanks.pValue(scattered(51))).isCloseTo(0.014998525825792303, within(1e-9));
  }

  private static double[] scattered(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToDouble(i -> i * 37 % 101 - 40 + i / 1000.0)
        .toArray();
  }

  @Test
  void manyDaysAgreeWithFewerAboutChance() {
    var random = new SplittableRandom(1);
    int rejected = 0;
    for (int i = 0; i < 400; i++) {
      double[] differences = new double[51 + i % 2 * -2];
      for (int day = 0; day < differences.length; day++) {
        differences[day] = random.nextGaussian();
      }
      rejected += SignedRanks.pValue(differences) < 0.05 ? 1 : 0;
    }

    assertThat(rejected).isBetween(8, 36); // five in a hundred, four deviations either way
  }

  @Test
  void theIntervalIsTheJudges() {
    PolicyResults results = results("a", 5, 3, 9);

    TestedCheckpoint tested = Selection.of(List.of(results), TWAP).checkpoints().getFirst();

    double mean = results.meanBps(null);
    double squares = 0;
    for (int day = 0; day < DAYS; day++) {
      squares += Math.pow(results.orders().get(2 * day).advantageBps() - mean, 2);
    }
    double error = Math.sqrt(squares / (DAYS - 1) / DAYS);
    Difference over = tested.overTwap().together();
    assertThat(over.meanBps()).isCloseTo(mean, within(1e-12));
    // The 97.5 % quantile of Student's distribution with 19 degrees of freedom, from a table.
    assertThat(over.low()).isCloseTo(mean - 2.0930 * error, within(1e-4));
    assertThat(over.high()).isCloseTo(mean + 2.0930 * error, within(1e-4));
  }

  @Test
  void countsTheDaysAndInstrumentsThatWin() {
    TestedCheckpoint tested =
        Selection.of(List.of(results("a", 0, 5, 2)), TWAP).checkpoints().getFirst();

    long won =
        tested.results().orders().stream().filter(result -> result.advantageBps() > 0).count() / 2;
    assertThat(tested.positiveDays()).isEqualTo((double) won / DAYS);
    assertThat(tested.positiveInstruments()).isEqualTo(tested.results().meanBps(null) > 0 ? 1 : 0);
  }

  /// One buy and one sell per day, `mean` better than TWAP, give or take `noise`.
  private static PolicyResults results(String name, double mean, double noise, long seed) {
    var random = new SplittableRandom(seed);
    var orders = new ArrayList<OrderResult>();
    for (int day = 0; day < DAYS; day++) {
      double shift = mean + noise * random.nextGaussian();
      orders.add(OrderResult.of(order(day, Side.BUY), shift, 1));
      orders.add(OrderResult.of(order(day, Side.SELL), shift, 1));
    }
    return new PolicyResults(name, orders);
  }

  /// Wins more on sells than it loses on buys.
  private static PolicyResults tilted() {
    var orders = new ArrayList<OrderResult>();
    for (int day = 0; day < DAYS; day++) {
      orders.add(OrderResult.of(order(day, Side.BUY), -5, 1));
      orders.add(OrderResult.of(order(day, Side.SELL), 15 + day * 0.1, 1));
    }
    return new PolicyResults("late", orders);
  }

  private static Order order(int day, Side side) {
    LocalDate date = LocalDate.of(2021, 3, 1).plusDays(day);
    return new Order("A", side, 100, date.atTime(9, 30), date.atTime(15, 0));
  }
}
