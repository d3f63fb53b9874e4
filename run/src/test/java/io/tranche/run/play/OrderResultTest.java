package io.tranche.run.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.Costs;
import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Frictions;
import io.tranche.env.ParallelFor;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.baseline.TwapBaseline;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderResultTest {

  private static final LocalDateTime OPEN = LocalDate.of(2026, 3, 2).atTime(9, 30);
  private static final Order ORDER =
      new Order("SH600000", Side.BUY, 80, OPEN, OPEN.plusMinutes(4).minusSeconds(1));

  @TempDir private Path folder = Path.of("");

  /// Prices 10 to 13, of whose volume 10 a tick may be filled.
  private static DayTicks ticks() {
    long first = BarTime.of(OPEN);
    return DayTicks.of(
        "SH600000",
        new long[] {first, first + 60, first + 120, first + 180},
        new double[] {10, 11, 12, 13},
        new double[] {100, 100, 100, 100},
        false);
  }

  private static PolicyResults played(Frictions frictions) {
    try (var parallel = new ParallelFor(1)) {
      var simulators =
          SimpleSimulatorConfig.DEFAULT
              .withMinutesPerStep(2)
              .withFrictions(frictions)
              .over(_ -> ticks());
      return new OrderPlayer(simulators, List.of(ORDER), parallel)
          .run(Candidate.rule("TWAP", new TwapBaseline()));
    }
  }

  @Test
  void chargesFeesAndWhatIsNotFilled() {
    PolicyResults results =
        played(
            Frictions.NONE
                .withParticipation(0.1)
                .withCosts(Costs.NONE.withCommission(0.001).withTaxes(0.001, 0)));

    OrderResult result = results.orders().getFirst();
    assertThat(result.filled()).isEqualTo(40);
    assertThat(result.completion()).isEqualTo(0.5);
    assertThat(result.averagePrice()).isEqualTo(11.5);
    assertThat(result.benchmarkPrice()).isEqualTo(11.5);
    // 40 at 11.5, and 40 at 13, the last price
    assertThat(result.advantageBps()).isCloseTo((1 - 12.25 / 11.5) * 10_000, within(1e-9));
    assertThat(result.costBps()).isCloseTo(0.002 * 460 / 920 * 10_000, within(1e-9));
    assertThat(result.netAdvantageBps()).isEqualTo(result.advantageBps() - result.costBps());
    assertThat(results.costBps()).isEqualTo(result.costBps());
  }

  @Test
  void hasNoPriceWithoutAFill() {
    OrderResult result = played(Frictions.NONE.withParticipation(0)).orders().getFirst();

    assertThat(result.completion()).isZero();
    assertThat(result.averagePrice()).isNaN();
    assertThat(result.advantageBps()).isCloseTo((1 - 13 / 11.5) * 10_000, within(1e-9));
    assertThat(result.costBps()).isZero();
  }

  @Test
  void writesOneRowPerOrder() throws IOException {
    Path file = folder.resolve("result.csv");

    played(Frictions.NONE).writeTo(file);

    assertThat(Files.readString(file))
        .isEqualTo(
            """
            instrument,side,start,end,amount,filled,completion,average_price,benchmark_price,\
            advantage_bps,cost_bps,net_advantage_bps
            SH600000,buy,2026-03-02 09:30:00,2026-03-02 09:33:59,80.0,80.0,1.0,11.5,11.5,0.0,0.0,0.0
            """);
  }
}
