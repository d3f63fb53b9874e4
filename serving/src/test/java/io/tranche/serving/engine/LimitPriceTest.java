package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.Side;
import io.tranche.serving.Answer;
import io.tranche.serving.Limit;
import io.tranche.serving.Request;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.TestModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A limit order comes with the price that its offset is counted from.
class LimitPriceTest {

  private static final double TICK = 0.05;

  @TempDir Path folder;

  @Test
  void offsetsHaveTheirReferencePriceAndLimitsAreTicks() throws IOException {
    Path models = Files.createDirectories(folder.resolve("models"));
    TestModels.write(models, TestService.MODEL, 3, TestModels.quoting("[market, 33, -22]"));
    var sides = EnumSet.noneOf(Side.class);
    var offsets = new HashSet<Double>();
    try (var service =
        TestService.open(
            folder,
            config -> config.withLimits(RiskLimits.of(Limit.TICK, TICK)),
            EngineParts.REAL)) {
      TestModels.write(models, "other@1", 4, TestModels.quoting("[33]"));
      service.done(new Request.Load("other@1"));
      for (int i = 0; i < 40; i++) {
        String instrument = "I" + i;
        Side side = i % 2 == 0 ? Side.BUY : Side.SELL;
        service.state(order("o" + i, instrument, side, i % 4 < 2 ? TestService.MODEL : "other@1"));
        service.bars(instrument, 0, 30);
        double close = TestService.bar(instrument, 29).values().getFirst();
        Answer.Child child = service.decide("o" + i);
        Double offset = child.limitOffsetBps();
        if (offset == null) {
          assertThat(child.referencePrice()).isNull();
          assertThat(child.limitPrice()).isNull();
          continue;
        }
        sides.add(side);
        offsets.add(offset);
        assertThat(child.referencePrice()).isEqualTo(close);
        double limit = Objects.requireNonNull(child.limitPrice());
        double exact = close * (1 + (side == Side.BUY ? -1 : 1) * offset / 10_000);
        double away = side == Side.BUY ? exact - limit : limit - exact;
        assertThat(away).as("away from the market").isBetween(-1e-9, TICK);
        assertThat(limit / TICK).isCloseTo(Math.rint(limit / TICK), within(1e-6));
        assertThat(service.ask(new Request.Decide("o" + i, child.step(), null)))
            .as("again")
            .isEqualTo(child);
      }
    }
    assertThat(sides).hasSize(2);
    assertThat(offsets).hasSizeGreaterThan(1);
  }

  private static Request.OpenOrder order(String id, String instrument, Side side, String model) {
    return new Request.OpenOrder(
        id,
        instrument,
        TestService.DATE,
        side,
        1_000,
        TestService.time(0),
        TestService.DATE.atTime(14, 59),
        model);
  }
}
