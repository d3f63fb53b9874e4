package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.testkit.Python;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The real Qlib works with files that we made: it trains on them, and its backtests give our rows.
@Tag("full") // installs Qlib and PyTorch
class QlibPeerTest {

  private static final long MAX_SECONDS = 1_800;

  /// Runs a module of Qlib. Newer PyTorch does not load Qlib's own checkpoints unless it is told
  /// to.
  private static final String RUNNER =
      """
      import os, runpy, sys
      import torch
      torch.set_num_threads(1)
      load = torch.load
      torch.load = lambda *a, **k: load(*a, **{"weights_only": False, **k})
      os.chdir(sys.argv[1])
      module = sys.argv[2]
      sys.argv = sys.argv[2:]
      runpy.run_module(module, run_name="__main__", alter_sys=True)
      """;

  /// Draws the orders as Qlib's `gen_training_orders.py` does, with the days that it means, and
  /// prints how many there are if ours are the same to the last bit.
  private static final String ORDERS =
      """
      import os, sys
      import numpy as np, pandas as pd
      os.chdir(sys.argv[1])
      np.random.seed(1234)
      stocks = sorted(f for f in os.listdir("data/pickle/backtest") if f != "tmp_dataset.pkl")
      np.random.shuffle(stocks)
      count = 0
      for stock in stocks:
          df = pd.read_pickle("data/pickle/backtest/" + stock).handler.fetch(level=None).reset_index()
          if len(df) == 0 or df.isnull().values.any() or min(df["$volume0"]) < 1e-5:
              continue
          df["date"] = df["datetime"].dt.normalize()
          day = df.groupby("date").head(47).groupby("date")[["$close0", "$volume0"]].mean()
          amounts = np.random.lognormal(-3.28, 1.14) * day["$volume0"]
          ours = pd.read_pickle("data/orders/all/" + stock + ".target").reset_index("instrument")
          assert list(ours.index) == list(day.index), (ours.index, day.index)
          assert (ours["amount"] == amounts).all(), (ours["amount"], amounts)
          assert (ours["$close0"] == day["$close0"]).all(), (ours["$close0"], day["$close0"])
          assert (ours["order_type"] == 0).all()
          count += len(ours)
      print(count)
      """;

  @TempDir Path folder;

  @Test
  void qlibTrainsAndBacktestsOnWhatWeWrote() throws Exception {
    Path python =
        Python.withQlibOrSkip();
    copy(Shared.root().resolve("examples/qlib-run/exp_configs"), folder.resolve("exp_configs"));
    tranche("data generate data/bin --frequency 5min --instruments 5 --days 34");
    tranche("data features exp_configs/pickle_data_config.yml data/pickle --format pickle");
    tranche(
        "orders generate data/pickle data/orders --rule qlib --format pickle"
            + " --train-until 2024-01-31 --valid-until 2024-02-06");
    tranche("orders merge data/orders/test data/orders/test_orders.pkl");
    assertThat(Integer.parseInt(Python.run(python, ORDERS, folder.toString()).strip()))
        .isGreaterThan(50);

    Path config = folder.resolve("exp_configs/train_opds.yml");
    Files.writeString(
        config, Files.readString(config).replace("parallel_mode: shmem", "parallel_mode: dummy"));
    qlib(python, "qlib.rl.contrib.train_onpolicy", "train_opds.yml", "--run_backtest");
    assertThat(folder.resolve("outputs/opds/checkpoints/002.pth")).exists();
    for (String name : List.of("backtest_twap", "backtest_opds")) {
      qlib(python, "qlib.rl.contrib.backtest", name + ".yml");
      tranche("backtest exp_configs/%s.yml --out ours/%s".formatted(name, name));
      assertSameRows(
          folder.resolve("ours").resolve(name).resolve("backtest_result.csv"),
          folder.resolve("outputs").resolve(name).resolve("backtest_result.csv"));
    }
  }

  private static void assertSameRows(Path ours, Path theirs) throws IOException {
    List<String[]> mine = cells(ours);
    List<String[]> other = cells(theirs);
    assertThat(mine).hasSameSizeAs(other).hasSizeGreaterThan(5);
    assertThat(mine.getFirst()).isEqualTo(other.getFirst());
    for (int row = 1; row < mine.size(); row++) {
      assertThat(List.of(mine.get(row)).subList(0, 2))
          .isEqualTo(List.of(other.get(row)).subList(0, 2));
      for (int cell = 2; cell < mine.get(row).length; cell++) {
        String what = "%s in row %d".formatted(mine.getFirst()[cell], row);
        if (other.get(row)[cell].isEmpty()) {
          assertThat(mine.get(row)[cell]).as(what).isEmpty();
          continue;
        }
        double expected = Double.parseDouble(other.get(row)[cell]);
        assertThat(Double.parseDouble(mine.get(row)[cell]))
            .as(what)
            .isCloseTo(expected, within(1e-9 * Math.max(1, Math.abs(expected))));
      }
    }
  }

  private static List<String[]> cells(Path file) throws IOException {
    return Files.readAllLines(file).stream().map(line -> line.split(",", -1)).toList();
  }

  private void qlib(Path python, String module, String config, String... options)
      throws IOException, InterruptedException {
    var arguments =
        Stream.concat(
                Stream.of(folder.toString(), module, "--config_path", "exp_configs/" + config),
                Stream.of(options))
            .toArray(String[]::new);
    Python.run(python, RUNNER, arguments);
  }

  private void tranche(String command) throws IOException, InterruptedException {
    Process process = SmallTraining.start(folder, List.of(command.split(" ")));
    assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(folder.resolve("log.txt"))).isZero();
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName().toString()));
      }
    }
  }
}
