package io.tranche.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.check.CheckOptions;
import io.tranche.market.check.CheckReport;
import io.tranche.market.check.DataCheck;
import io.tranche.market.check.Rule;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Real bars load as their README describes them and survive every format to the bit.
class RealBarsTest {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "cn_ashare_1min_202403, 1min, 1503, 9, 241",
    "us_tech_1min_2025_2026, 1min, 35, 68, 390",
    "cn_ashare_15min_2025_2026, 15min, 80, 300, 16",
    "us_lean_1min_quotes_Apache2, 1min, 10, 20, 390",
    "cn_000001_1min_201801_Apache2, 1min, 1, 21, 240",
    "cn_l2bars_1min_20211201_Apache2, 1min, 30, 1, 62",
  })
  void loadsAsDescribed(String name, String frequency, int instruments, int days, int mostBars) {
    BarSource bars = open(name);

    assertThat(bars.calendar().frequency()).isEqualTo(Frequency.parse(frequency));
    assertThat(bars.instruments()).hasSize(instruments);
    assertThat(bars.calendar().days()).isEqualTo(days);
    for (int day = 0; day < days; day++) {
      assertThat(bars.calendar().dayEnd(day) - bars.calendar().dayStart(day))
          .isLessThanOrEqualTo(mostBars);
    }
  }

  @Test
  void groupsFuturesIntoTradingDaysWithTheirNight() {
    var mapping =
        new ColumnMapping(null, null, null, Session.CHINA_FUTURES, null, Map.of(), List.of());
    Path file = Shared.orSkip("data/cn_futures_5min_2024_MIT.parquet");

    BarSource bars = BarFiles.open(file, mapping);

    assertThat(bars.instruments()).hasSize(40);
    for (String instrument : bars.instruments()) {
      BarSeries series = bars.series(instrument);
      int[] sizes = new int[series.endDay()];
      for (int day = series.firstDay(); day < series.endDay(); day++) {
        var frame = series.day(day);
        for (int tick = 0; frame != null && tick < frame.ticks(); tick++) {
          sizes[day] += frame.isMissing(tick) ? 0 : 1;
        }
      }
      Arrays.sort(sizes);
      // Three lengths of night or none; gold and silver trade until 02:30, financial futures have
      // a day of their own.
      assertThat(sizes[sizes.length / 2]).as(instrument).isIn(45, 48, 51, 69, 93, 111);
    }
  }

  // Nothing in these files is unusable, and the README's quirks show as warnings.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cn_ashare_1min_202403           | TRADE_WITHOUT_VOLUME
          us_tech_1min_2025_2026          | TRADE_WITHOUT_VOLUME MISSING_BARS PRICE_JUMP
          cn_ashare_15min_2025_2026       | MISSING_BARS EMPTY_DAY
          cn_futures_5min_2024_MIT        | MISSING_BARS
          us_lean_1min_quotes_Apache2     | PARTLY_MISSING_BAR MISSING_BARS PRICE_JUMP
          cn_000001_1min_201801_Apache2   | ''
          cn_l2bars_1min_20211201_Apache2 | ''
          """)
  void isCriticisedForItsQuirksOnly(String name, String rules) {
    CheckReport report =
        DataCheck.check(Shared.orSkip("data/" + name + ".parquet"), CheckOptions.DEFAULT);

    assertThat(report.hasErrors()).isFalse();
    assertThat(report.counts().keySet())
        .extracting(Rule::name)
        .containsExactlyInAnyOrderElementsOf(rules.isEmpty() ? Set.of() : Set.of(rules.split(" ")));
    if (name.startsWith("us_lean")) {
      assertThat(report.count(Rule.PARTLY_MISSING_BAR)).isEqualTo(403); // 2.6 % without quote
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cn_ashare_1min_202403",
        "us_tech_1min_2025_2026",
        "cn_ashare_15min_2025_2026",
        "cn_futures_5min_2024_MIT",
        "us_lean_1min_quotes_Apache2",
        "cn_000001_1min_201801_Apache2",
        "cn_l2bars_1min_20211201_Apache2"
      })
  void survivesEveryWritableFormToTheBit(String name) throws IOException {
    BarSource bars = open(name);

    for (String copy : new String[] {"copy.parquet", "copy.csv", "store"}) {
      Path target = folder.resolve(copy);
      try (var writer = BarFiles.create(target)) {
        BarFiles.convert(bars, writer, (_, _) -> {});
      }
      try (BarSource back = BarFiles.open(target, ColumnMapping.DEFAULT)) {
        assertSame(back, bars);
      }
    }
  }

  private static void assertSame(BarSource actual, BarSource expected) {
    assertThat(actual.calendar()).isEqualTo(expected.calendar());
    assertThat(actual.instruments()).isEqualTo(expected.instruments());
    assertThat(actual.fields()).containsExactlyInAnyOrderElementsOf(expected.fields());
    for (String instrument : expected.instruments()) {
      BarSeries one = actual.series(instrument);
      BarSeries other = expected.series(instrument);
      assertThat(one.firstDay()).isEqualTo(other.firstDay());
      assertThat(one.size()).isEqualTo(other.size());
      for (String field : expected.fields()) {
        assertThat(bits(one, one.fieldIndex(field)))
            .as(instrument)
            .isEqualTo(bits(other, other.fieldIndex(field)));
      }
    }
  }

  private static int[] bits(BarSeries series, int field) {
    int[] bits = new int[series.size()];
    for (int row = 0; row < bits.length; row++) {
      bits[row] = Float.floatToIntBits(series.value(field, row));
    }
    return bits;
  }

  private static BarSource open(String name) {
    return BarFiles.open(Shared.orSkip("data/" + name + ".parquet"), ColumnMapping.DEFAULT);
  }
}
