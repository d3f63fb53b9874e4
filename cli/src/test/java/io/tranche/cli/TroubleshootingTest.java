package io.tranche.cli;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The symptoms of docs/troubleshooting.md that the command line shows, reproduced.
class TroubleshootingTest {

  private static final Path GOLDEN = Shared.root().resolve("conformance/golden/dataset");
  private static final String STORE = GOLDEN.resolve("bin_5min").toString();

  @TempDir Path folder;

  @Test
  void barsWithoutAHeader() throws IOException {
    Path bars = Files.writeString(folder.resolve("bars.csv"), "2024-01-02 09:30,10,100\n");

    assertSymptom(
        Run.of("start", bars.toString(), "--yes"),
        3,
        "expected a header line with the names of the columns");
  }

  @Test
  void tooFewDaysToStart() throws IOException {
    Path bars =
        Files.writeString(
            folder.resolve("bars.csv"),
            "time,open,close,volume\n2024-01-02 09:30,1,1,1\n2024-01-02 09:31,1,1,1\n");

    assertSymptom(Run.of("start", bars.toString(), "--yes"), 3, "expected bars of at least 5 days");
  }

  @Test
  void missingStore() throws IOException {
    Path config = qlibConfig("nowhere", "2021-02-25", "2021-03-03");

    Run run =
        Run.of("data", "features", config.toString(), "--out", folder.resolve("f").toString());

    assertSymptom(run, 3, "expected the folder of a Qlib store, was no such folder");
  }

  @Test
  void wrongFrequency() {
    Run run =
        Run.of(
            "data",
            "convert",
            GOLDEN.resolve("bin_1min").toString(),
            "--out",
            folder.resolve("x.csv").toString(),
            "--frequency",
            "5min");

    assertSymptom(
        run, 3, "expected the calendar of 5min, was no such file, only calendars of [1min]");
  }

  @Test
  void severalFrequencies() throws IOException {
    Path store = folder.resolve("store");
    Run.of("data", "convert", STORE, "--out", store.toString());
    Files.writeString(store.resolve("calendars/day.txt"), "2021-03-01\n");

    Run run =
        Run.of("orders", "generate", store.toString(), "--out", folder.resolve("o").toString());

    assertSymptom(run, 3, "expected one bar width, or --frequency to choose one");
  }

  @Test
  void storeThatBeginsTooLateForTheFeatures() throws IOException {
    Path config = qlibConfig(STORE, "2021-02-08", "2021-03-03");

    Run run =
        Run.of("data", "features", config.toString(), "--out", folder.resolve("f").toString());

    assertSymptom(
        run,
        3,
        "expected instruments with bars for all that time and for 96 bars (2 x day_length) before it");
  }

  @Test
  void datesOutsideTheCalendar() throws IOException {
    Path config = qlibConfig(STORE, "2031-02-08", "2031-03-03");

    Run run =
        Run.of("data", "features", config.toString(), "--out", folder.resolve("f").toString());

    assertSymptom(run, 3, "expected bars of the source within them");
  }

  @Test
  void emptyInstrument() throws IOException {
    Path store = folder.resolve("store");
    Run.of("data", "convert", STORE, "--out", store.toString());
    Path all = store.resolve("instruments/all.txt");
    Files.writeString(
        all, Files.readString(all) + "SH999999\t2021-02-08 09:30:00\t2021-03-04 14:55:00\n");

    Run run = Run.of("data", "check", store.toString());

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("warning: ").contains("expected bars for each instrument");
    assertDocumented("warning: expected bars for each instrument");
  }

  @Test
  void graphWithExternalData() throws IOException {
    Path graph =
        Files.write(folder.resolve("m.onnx"), new byte[] {0x3a, 4, 0x2a, 2, 0x70, 1}); // a tensor
    Path config =
        Files.writeString(
            folder.resolve("onnx.yml"),
            """
            tranche: 1
            data: {market: {instruments: 2, days: 20}}
            policy: {class: Onnx, kwargs: {path: '%s'}}
            """
                .formatted(graph));

    Run run = Run.of("train", config.toString(), "--out", folder.resolve("r").toString());

    assertSymptom(run, 4, "expected all tensors in this file, was external data");
  }

  @Test
  void noJdk() throws IOException {
    assertThat(Files.readString(Shared.root().resolve("tranche")))
        .contains("Tranche needs a JDK $minimum or newer and found none");
    assertDocumented("Tranche needs a JDK 25 or newer and found none");
  }

  private static void assertSymptom(Run run, int status, String symptom) {
    assertThat(run.err()).contains(symptom);
    assertThat(run.err().lines().count()).isEqualTo(1);
    assertThat(run.status()).isEqualTo(status);
    assertDocumented(symptom);
  }

  private Path qlibConfig(String store, String start, String end) throws IOException {
    String text =
        """
        freq: 5min
        qlib_conf: {provider_uri: {5min: STORE}}
        feature_conf:
          kwargs:
            handler:
              class: HighFreqGeneralHandler
              kwargs:
                start_time: START
                end_time: END
                fit_start_time: START
                fit_end_time: END
                instruments: all
                day_length: 48
                columns: ["$open", "$high", "$low", "$close"]
                infer_processors:
                - {class: HighFreqNorm, kwargs: {norm_groups: {price: 8, volume: 2}}}
        backtest_conf:
          kwargs:
            handler:
              class: HighFreqGeneralBacktestHandler
              kwargs: {columns: ["$close", "$volume"]}
        """;
    return Files.writeString(
        folder.resolve("config.yml"),
        text.replace("STORE", store).replace("START", start).replace("END", end));
  }
}
