package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import io.tranche.config.ConfigFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelectCommandTest {

  @TempDir static Path folder;

  private static Path run = Path.of("");

  @BeforeAll
  static void train() throws IOException {
    run = folder.resolve("run");
    Path config = SmallTraining.write(folder);
    Run training = Run.of("train", config.toString(), "--out", run.toString());
    assertThat(training.status()).as(training.err()).isZero();
  }

  @Test
  void comparesTheBestAndCopiesTheChosen() throws IOException {
    Run select = Run.of("select", run.toString(), "--best", "2");

    assertThat(select.status()).as(select.err()).isZero();
    assertThat(select.err()).contains("orders with TWAP").contains("orders with 002.ckpt");
    assertThat(select.out())
        .contains("p (Holm)")
        .contains("all together")
        .contains("the best lower bound of 2")
        .contains("info ratio")
        .contains("test orders: ")
        .containsPattern("002\\.ckpt .* bps +-?\\d\\.\\d+  (0\\.9|1\\.0)"); // orders are finished
    String chosen = select.out().replaceAll("(?s).*selected (\\S+\\.ckpt).*", "$1");
    assertThat(Files.mismatch(run.resolve("selected.ckpt"), run.resolve("checkpoints/" + chosen)))
        .isEqualTo(-1);
    Run report = Run.of("report", run.toString());
    Run comparison = Run.of("report", run.toString(), run.toString(), "--out", folder.toString());
    assertThat(report.status()).as(report.err()).isZero();
    assertThat(run.resolve("report.html")).content().contains("Checkpoints of run");
    assertThat(comparison.status()).as(comparison.err()).isZero();
    assertThat(folder.resolve("comparison.html")).isNotEmptyFile();
  }

  @Test
  void aNativeFileStandsForTheRunThatItTrains() throws IOException {
    Path file = folder.resolve("small.yml");

    Run backtest =
        Run.of(
            "backtest", withFolder(file, run).toString(), "--out", folder.resolve("bt").toString());
    Run missing = Run.of("backtest", withFolder(file, folder.resolve("none")).toString());

    assertThat(backtest.status()).as(backtest.err()).isZero();
    assertThat(backtest.out()).contains("weights: ");
    assertThat(folder.resolve("bt/result.csv")).isNotEmptyFile();
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).contains("CONFIG: expected a file whose run is trained");
  }

  private static Path withFolder(Path file, Path folder) throws IOException {
    String text = Files.readString(file);
    return Files.writeString(
        file.resolveSibling("native-" + folder.getFileName() + ".yml"),
        ConfigFiles.parse("native.yml", text).with("trainer.checkpoint_path=" + folder).toYaml());
  }

  @Test
  void theLastCanBeComparedInstead() {
    Run select = Run.of("select", run.toString(), "--last", "1");

    assertThat(select.status()).as(select.err()).isZero();
    assertThat(select.err()).contains("orders with 004.ckpt");
  }

  @Test
  void wrongUsageIsOneMessage() {
    Run unknown = Run.of("select", run.toString(), "--metric", "val/nothing");
    Run none = Run.of("select", folder.toString());

    assertThat(unknown.status()).isEqualTo(ExitCode.CONFIG);
    assertThat(unknown.err()).contains("--metric: expected a metric that checkpoints have, of [");
    assertThat(none.status()).isEqualTo(ExitCode.CONFIG);
    assertThat(none.err()).contains("RUN: expected a run directory of tranche train");
  }
}
