package io.tranche.market.feature.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.feature.Streaming;
import io.tranche.market.feature.pipeline.FeatureRecipes;
import io.tranche.market.synthetic.SyntheticMarket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableFeaturesTest {

  @TempDir Path folder;

  @Test
  void aDateCountsFromTheNextDayOnAndATimeFromItsBar() throws IOException {
    try (var market = market(4)) {
      DayFrame second = day(market, 1);
      DayFrame third = day(market, 2);
      Path table =
          write(
              "date,size\n%s,1\n%s,2\n%s,3\n"
                  .formatted(second.date(), third.date(), BarTime.format(third.time(5))));

      assertThat(values(from(table, ""), third)).startsWith(1, 1, 1, 1, 1, 3, 3);
      assertThat(values(from(table, ", known: same_day"), third)).startsWith(2, 2, 2, 2, 2, 3, 3);
      assertThat(values(from(table, ""), second)).containsOnly(Float.NaN);
    }
  }

  @Test
  void eachInstrumentHasItsOwnRows() throws IOException {
    try (var market = market(4)) {
      DayFrame day = day(market, 2);
      Path table =
          write(
              "instrument,date,size,beta\n%s,2020-01-01,1,4\nOTHER,2020-01-01,2,5\n"
                  .formatted(day.instrument()));
      TableFeatures features =
          TableFeatures.from(
              ConfigFiles.parse(
                  "t", "{table: '%s', columns: [size, beta], turns: [beta]}".formatted(table)));

      float[] values = new float[day.ticks() * 2];
      features.compute(day, List.of(), values);

      assertThat(values).startsWith(1, 4, 1, 4);
      assertThat(features.columns()).containsExactly("$x_size", "$turned_beta");
    }
  }

  @Test
  void streamsWithTheBitsOfTheBatchAndSeesNewRows() throws IOException {
    try (var market = market(8)) {
      Path table = write(daily(market, false));
      var batch = ComputedFeatures.of(market, List.of(from(table, ""), new TimeOfDay()), 0, 9);
      var recipe = FeatureRecipes.from(ConfigFiles.parse("m", batch.recipe().toConfig().toYaml()));
      String code = market.instruments().getFirst();
      for (int day : new int[] {0, 1, 7}) {
        Streaming.assertEqualsBatch(recipe, batch, market, code, day, 5);
        assertThat(CausalityCheck.find(from(table, ""), market.series(code), day)).isNull();
      }

      TableFeatures features = from(table, "");
      float before = values(features, day(market, 6))[0];
      Files.writeString(table, "date,size\n2020-01-01,77\n");
      Files.setLastModifiedTime(table, java.nio.file.attribute.FileTime.fromMillis(1));
      assertThat(values(features, day(market, 6))[0]).isEqualTo(77).isNotEqualTo(before);
    }
  }

  @Test
  void aValueThatNeverChangesIsNoLeak() throws IOException {
    try (var market = market(60)) {
      Path table = write("date,size,beta\n2020-01-01,0.3,0.1\n");

      assertThat(TableLeak.find(from(table, ", known: same_day"), market)).isNull();
    }
  }

  @Test
  void aDailyValueThatIsKnownOnlyAfterTheCloseIsFound() throws IOException {
    try (var market = market(60)) {
      for (boolean isReturn : new boolean[] {false, true}) {
        Path table = write(daily(market, isReturn));

        TableLeak leak = TableLeak.find(from(table, ", known: same_day"), market);

        assertThat(leak).extracting(TableLeak::column).isEqualTo("$x_size");
        assertThat(TableLeak.find(from(table, ""), market)).isNull();
        assertThatThrownBy(() -> TableLeak.require(from(table, ", known: same_day"), market))
            .isInstanceOf(DataException.class)
            .hasMessageContaining("which goes with what its day does later")
            .hasMessageContaining("write 'known: next_day'");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "columns: [] | columns: expected at least one column",
        "columns: [a_1] | columns: expected names of letters and digits that do not end in _1",
        "columns: [size], turns: [beta] | turns: expected some of [size]",
        "columns: [size], known: tomorrow | known: expected a word out of [next_day, same_day]",
        "colums: [size] | (nearest: columns)",
        "columns: [beta] | expected a column out of [date, datetime, time], and [beta]"
      })
  void refusesWrongSettings(String settings, String message) throws IOException {
    Path table = write("date,size\n2024-01-02,1\n");

    assertThatThrownBy(
            () ->
                TableFeatures.from(
                    ConfigFiles.parse("t", "{table: '%s', %s}".formatted(table, settings))))
        .isInstanceOfAny(ConfigException.class, DataException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesTwoRowsOfOneTimeAndAFileThatIsNotThere() throws IOException {
    Path table = write("date,size\n2024-01-02,1\n2024-01-02,2\n");

    assertThatThrownBy(() -> from(table, ""))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("table.csv:3: expected one row for each time and instrument");
    assertThatThrownBy(() -> from(folder.resolve("none.csv"), ""))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected a table, was no such file");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("table.csv"), text);
  }

  private static TableFeatures from(Path table, String more) {
    return TableFeatures.from(
        ConfigFiles.parse("t", "{table: '%s', columns: [size]%s}".formatted(table, more)));
  }

  private static SyntheticMarket market(int days) {
    return new SyntheticMarket(Streaming.embedded(Frequency.ofMinutes(15), days));
  }

  private static DayFrame day(BarSource market, int number) {
    return Objects.requireNonNull(market.series(market.instruments().getFirst()).day(number));
  }

  private static float[] values(TableFeatures features, DayFrame day) {
    float[] values = new float[day.ticks()];
    features.compute(day, List.of(), values);
    return values;
  }

  /// Returns the close, or the return, of every day.
  private static String daily(BarSource market, boolean isReturn) {
    var text = new StringBuilder("instrument,date,size\n");
    for (String code : market.instruments()) {
      BarSeries series = market.series(code);
      int close = series.fieldIndex("close");
      for (int number = series.firstDay(); number < series.endDay(); number++) {
        DayFrame day = series.day(number);
        if (day == null || !day.hasBars()) {
          continue;
        }
        double first = Double.NaN;
        double last = Double.NaN;
        for (int tick = 0; tick < day.ticks(); tick++) {
          double price = day.value(close, tick);
          if (price > 0) {
            first = Double.isNaN(first) ? price : first;
            last = price;
          }
        }
        text.append(code).append(',').append(day.date()).append(',');
        text.append(isReturn ? last / first - 1 : last).append('\n');
      }
    }
    return text.toString();
  }
}
