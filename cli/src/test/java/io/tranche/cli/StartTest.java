package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.MarketBars;
import io.tranche.testkit.MarketBars.Columns;
import io.tranche.testkit.MarketBars.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `tranche start` on bars as users have them.
class StartTest {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "US_STOCKS, 1, us_stocks, 30",
    "CN_STOCKS, 15, cn_stocks, 30",
    "CN_FUTURES, 5, cn_futures, 30",
    "CRYPTO, 15, crypto, 120"
  })
  void leadsFromBarsToAVerdict(Kind kind, int minutes, String costs, int step) throws IOException {
    Path bars =
        new MarketBars(kind, minutes, Columns.HIGHS_AND_LOWS, 18, 3)
            .write(folder.resolve("own bars"));
    Path out = folder.resolve("first try");
    Run run = start(bars, "--yes", "--out", out);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out() + run.err()).containsOnlyOnce("to see 1 bps over TWAP takes ");
    assertThat(run.out())
        .contains("18 days", "costs: " + costs, "TWAP", "oracle", "What next:")
        .contains("tranche train '" + out.resolve("train.yml") + "'");
    assertThat(out.resolve("report.html")).isNotEmptyFile();
    String config = Files.readString(out.resolve("train.yml"));
    assertThat(config).contains("minutes_per_step: " + step, "costs: " + costs);
    Run again = Run.of("train", out.resolve("train.yml").toString(), "--out", folder + "/again");
    assertThat(again.status()).as(again.err()).isZero();
    assertThat(Files.readAllBytes(folder.resolve("again/checkpoints/001.ckpt")))
        .isEqualTo(Files.readAllBytes(out.resolve("checkpoints/001.ckpt")));
  }

  @Test
  void readsTheExportOfASpreadsheet() throws IOException {
    var text = new StringBuilder("Exchange;Contract;Date;Time;O;Last;Vol\n");
    eachBar(
        time ->
            String.format(
                Locale.GERMANY,
                "X;A1;%s;%s;100,5;%.2f;%d%n",
                time.toLocalDate(),
                time.toLocalTime(),
                100 + Math.sin(time.getMinute()),
                500 + time.getMinute()),
        text);
    Run run = start(write("export.csv", text), "--yes", "--out", folder.resolve("out"));
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("column Contract is read as the instrument")
        .contains("column Last is read as close")
        .contains("column Vol is read as volume")
        .contains("left out, because they are no numbers: Exchange")
        .contains("session: us_stocks (found)");
  }

  @Test
  void asksWhereTheInstrumentsOfTimesInUtcTrade() throws IOException {
    var text = new StringBuilder("timestamp,open,close,volume\n");
    eachBar(
        time ->
            "%d,100.5,%.2f,%d%n"
                .formatted(
                    time.plusHours(5).toEpochSecond(ZoneOffset.UTC),
                    100 + Math.sin(time.getMinute()),
                    500),
        text);
    Path bars = write("utc.csv", text);
    Run silent = start(bars, "--yes", "--out", folder.resolve("out"));
    assertThat(silent.status()).isEqualTo(2);
    assertThat(silent.err())
        .startsWith(
            "--session: expected an answer to \"The times of the bars have a time zone. Where");
    assertThat(folder.resolve("out")).doesNotExist();

    Run asked = answering("mars\nus_stocks\n", bars, "--out", folder.resolve("out"));
    assertThat(asked.status()).as(asked.err()).isZero();
    assertThat(asked.out())
        .contains("was 'mars'")
        .contains("session: us_stocks (stated)")
        .contains("costs: us_stocks");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no header",
        "other columns",
        "no open",
        "one day",
        "two widths",
        "daily",
        "none",
        "empty",
        "a header only",
        "binary",
        "twice",
        "backwards",
        "shifted",
        "a date that we do not read"
      })
  void saysWhatIsMissing(String what) throws IOException {
    var text = new StringBuilder();
    String expected =
        switch (what) {
          case "no header" -> {
            eachBar(time -> time + ",10,100\n", text);
            yield "bars.csv:1: expected a header line with the names of the columns, was '2024-01-08T09:30'";
          }
          case "other columns" -> {
            text.append("when,what\n");
            eachBar(time -> time + ",10\n", text);
            yield "bars.csv: expected a column open, or a mapping that renames one to it (--mapping), was [what]";
          }
          case "no open" -> {
            text.append("time,close,volume\n");
            eachBar(time -> time + ",10,100\n", text);
            yield "bars.csv: expected a column open, or a mapping that renames one to it (--mapping), was [close, volume]";
          }
          case "one day" -> {
            text.append("time,close,volume,open\n2024-01-02 09:30,1,1,1\n2024-01-02 09:31,1,1,1\n");
            yield "bars.csv: expected bars of at least 5 days: three to train, one to validate, one to test, was 1";
          }
          case "two widths" -> {
            text.append("time,close,volume\n");
            eachBar(time -> time + ",10,100\n", text);
            text.append("2024-02-01 09:30,1,1\n2024-02-01 09:31,1,1\n2024-02-01 09:32,1,1\n");
            yield "bars.csv:2344, bars at 2024-02-01 09:32:00: expected bars of one width, 2min, was mixed bar widths";
          }
          case "daily" -> {
            text.append("date,close,volume,open\n");
            for (int day = 1; day < 20; day++) {
              text.append("2024-01-%02d,10,100,10\n".formatted(day));
            }
            yield "bars.csv: expected bars within the day, because an order lasts a day or less, was day";
          }
          case "empty" -> "bars.csv:1: expected a header, was an empty file";
          case "a header only" -> {
            text.append("symbol,datetime,open,close,volume\n");
            yield "bars.csv: expected bars below the header, was none";
          }
          case "binary" -> {
            text.append("\u0000PK\u0003,\u0004\u0001\n\u0000\u0000");
            yield "bars.csv:1: expected text such as CSV, was a binary file: export a spreadsheet as CSV";
          }
          case "twice", "backwards" -> {
            text.append("time,open,close,volume\n");
            eachBar(time -> time + ",10,10,100\n", text);
            text.append(what.equals("twice") ? "2024-01-23 15:58" : "2024-01-19 15:30");
            text.append(",10,10,100\n");
            yield what.equals("twice")
                ? "bars.csv:2342, bars at 2024-01-23 15:58:00: expected one bar per time, was a duplicate"
                : "bars.csv:2342, bars at 2024-01-19 15:30:00: expected a time after that of the previous bar, was an earlier one";
          }
          case "shifted" -> {
            text.append("time,open,close,volume\n");
            eachBar(time -> time.plusHours(5) + ",10,10,100\n", text);
            yield "bars.csv: expected the trading hours of an exchange on its own clock, or --session and --time-zone, was the hours of us_stocks shifted by +05:00, as in another time zone";
          }
          case "a date that we do not read" -> {
            text.append("time,open,close,volume\n01/08/2024 09:30,1,1,1\n");
            yield "bars.csv:2, column time: expected a time such as 2021-03-01 09:30:00, was '01/08/2024 09:30'";
          }
          default -> "none.csv: expected a file or folder, was none";
        };
    Path bars = what.equals("none") ? folder.resolve("none.csv") : write("bars.csv", text);
    Run run = start(bars, "--yes", "--out", folder.resolve("out"));
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).isEqualTo(folder.resolve(expected) + "\n");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "when,open,close,volume | column when is read as the time",
        "datetime,o,last,qty | column qty is read as volume"
      })
  void readsBarsOfOneInstrumentWithGapsAndOtherNames(String header, String note)
      throws IOException {
    var text = new StringBuilder(header + "\n");
    eachBar(
        time ->
            time.getMinute() % 14 == time.getDayOfMonth() % 14
                ? ""
                : "%s,100.5,%.2f,%d%n".formatted(time, 100 + Math.sin(time.getMinute()), 500),
        text);
    Run run = start(write("XYZ.csv", text), "--yes", "--quiet", "--out", folder.resolve("out"));
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("XYZ.csv: 1 instruments, 2min bars, 12 days from 2024-01-08 to 2024-01-23")
        .contains(note)
        .contains("session: us_stocks (found)");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void refusesAFolderWithOtherFiles() throws IOException {
    Files.writeString(folder.resolve("notes.txt"), "mine");
    Run run = start(folder.resolve("none.csv"), "--out", folder);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("--out: expected a new or empty folder");
  }

  /// Twelve days of New York, every second minute.
  private static void eachBar(Function<LocalDateTime, String> line, StringBuilder text) {
    for (int day = 0; day < 16; day++) {
      LocalDate date = LocalDate.of(2024, 1, 8).plusDays(day);
      if (date.getDayOfWeek().getValue() < 6) {
        for (int minute = 0; minute < 390; minute += 2) {
          text.append(line.apply(date.atTime(9, 30).plusMinutes(minute)));
        }
      }
    }
  }

  private Path write(String name, StringBuilder text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static Run start(Path bars, Object... more) {
    List<String> words = new ArrayList<>(List.of("start", bars.toString(), "--iterations", "1"));
    for (Object word : more) {
      words.add(word.toString());
    }
    return Run.of(words.toArray(String[]::new));
  }

  private static Run answering(String answers, Path bars, Object... more) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(answers.getBytes(StandardCharsets.UTF_8)));
    try {
      return start(bars, more);
    } finally {
      System.setIn(before);
    }
  }
}
