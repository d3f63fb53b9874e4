package io.tranche.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.DayTicks;
import io.tranche.config.ConfigFiles;
import io.tranche.execution.CachedTicks;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.testkit.MarketBars;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Orders fill at the same ticks on a feature store as on the bars it was made from: where there is
/// no bar, there is no fill.
class StoredTicksTest {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"US_STOCKS, native", "CRYPTO, native", "US_STOCKS, qlib"})
  void ticksAreThoseOfTheBars(MarketBars.Kind kind, String rules) {
    var market = new MarketBars(kind, 15, MarketBars.Columns.NEITHER, 10, 5);
    Path bars = market.write(folder);
    boolean isQlib = rules.equals("qlib");
    String features =
        "{start: 2024-03-01, end: 2024-04-01, rules: %s, %s columns: [$open, $close], norm_groups: {p: 4, v: 2}}"
            .formatted(rules, isQlib ? "day_length: 26, whole_window: false," : "");
    PreparedData made = prepared("made", "{bars: '%s', features: %s}".formatted(bars, features));
    Path store = folder.resolve("made/data/features");
    Path orders = folder.resolve("made/data/orders");
    PreparedData stored =
        prepared("stored", "{features: '%s', orders: '%s'}".formatted(store, orders));
    PreparedData plain = prepared("plain", "{bars: '%s', orders: '%s'}".formatted(bars, orders));

    int missing = 0;
    try (CachedTicks expected = plain.openTicks();
        CachedTicks both = made.openTicks();
        CachedTicks alone = stored.openTicks()) {
      List<LocalDate> dates = market.dates();
      // The first two days are cut off. Qlib counts rows, and the first day is a half one.
      for (LocalDate date : dates.subList(isQlib ? 3 : 2, dates.size())) {
        String code = plain.sessions().keySet().iterator().next();
        var order = new Order(code, Side.SELL, 1, date.atTime(9, 30), date.atTime(16, 0), date);
        List<String> real = traded(expected.ticks(order));
        assertThat(traded(both.ticks(order))).isEqualTo(real);
        assertThat(traded(alone.ticks(order))).isEqualTo(real);
        missing += market.times(code, date).size() - real.size();
      }
    }
    assertThat(missing).isPositive();
  }

  private static List<String> traded(DayTicks ticks) {
    var traded = new ArrayList<String>();
    for (int tick = 0; tick < ticks.count(); tick++) {
      if (!ticks.isMissing(tick)) {
        traded.add("%d %s %s".formatted(ticks.time(tick), ticks.price(tick), ticks.volume(tick)));
      }
    }
    return traded;
  }

  private PreparedData prepared(String name, String data) {
    ExecutionRun run =
        ExecutionRun.read(
            ConfigFiles.parse("test", "{tranche: 1, data: %s}".formatted(data)), _ -> {});
    return PreparedData.of(run, new RunFolder(folder.resolve(name)), (_, _, _) -> {});
  }
}
