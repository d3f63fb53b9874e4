package io.tranche.cli;

import static io.tranche.cli.MarketVerbs.asOrders;
import static io.tranche.cli.MarketVerbs.done;
import static io.tranche.cli.MarketVerbs.served;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Minari datasets of episodes and of a service's journal.
@Tag("full")
final class PythonDatasetsTest {

  @TempDir private Path folder;

  @Test
  void episodesAndOrdersAreWrittenAndReadBack() throws IOException, InterruptedException {
    PythonPackage python = PythonPackage.in(folder);
    Path config =
        Files.writeString(
            folder.resolve("train.yml"),
            """
            tranche: 1
            data: {market: {instruments: 2, days: 30}}
            trainer: {max_iterations: 1, episodes_per_iteration: 20}
            validation: {every: null}
            """);
    Path run = folder.resolve("run");
    done("train", config, "--out", run, "--run-backtest");
    Path models = Files.createDirectories(folder.resolve("models"));
    Path bundle = models.resolve("agent.tranche");
    done("export", run, "--out", bundle);
    Path orders = asOrders(run.resolve("result.csv"), folder.resolve("orders.csv"));
    served(folder, bundle, run.resolve("data/bars"), orders, folder.resolve("decisions.csv"));

    String printed =
        python.run(
            Python.withLearnersOrSkip(),
            """
            os.environ["MINARI_DATASETS_PATH"] = sys.argv.pop()
            import runpy
            runpy.run_path(os.path.join(sys.path[0], "tests", "dataset.py"), run_name="__main__")
            """,
            python.config().toString(),
            python.out().toString(),
            folder.resolve("journal").toString(),
            models.toString(),
            folder.resolve("minari").toString());

    assertThat(printed).startsWith("READ BACK");
  }
}
