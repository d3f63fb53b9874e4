package io.tranche.cli;

import static io.tranche.cli.MarketVerbs.done;
import static io.tranche.cli.MarketVerbs.results;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A model that was exported as an ONNX graph comes back as a policy made elsewhere and does the
/// same in every verb and in the service.
final class OnnxPolicyTest {

  @TempDir private Path folder;

  @Test
  void everyVerbTakesAGraph() throws IOException {
    Path own = folder.resolve("own");
    done("train", config("own.yml", ""), "--out", own, "--run-backtest");
    Path graph = folder.resolve("a model.onnx");
    done("export", own, "--out", graph);
    Path run = folder.resolve("elsewhere");
    String policy = "policy: {class: Onnx, kwargs: {path: '%s'}}\n".formatted(graph);
    done("train", config("elsewhere.yml", policy), "--out", run, "--run-backtest");
    Files.delete(graph); // the run has it

    List<List<Double>> figures = results(own.resolve("result.csv"));
    assertThat(results(run.resolve("result.csv"))).isEqualTo(figures);
    Path backtested = folder.resolve("backtested");
    done("backtest", run, "--out", backtested);
    assertThat(results(backtested.resolve("result.csv"))).isEqualTo(figures);
    assertThat(judged(run)).isEqualTo(judged(own));
    assertThat(done("select", run, "--last", 1)).contains("001.ckpt");
    assertThat(done("stress", run)).isNotBlank();

    Path bundle = folder.resolve("model.tranche");
    done("export", run, "--out", bundle);
    Path tested = MarketVerbs.asOrders(run.resolve("result.csv"), folder.resolve("tested.csv"));
    Path bars = own.resolve("data/bars");
    assertThat(MarketVerbs.served(folder, bundle, bars, tested, folder.resolve("decisions.csv")))
        .isEqualTo(figures);
  }

  /// The graph sees the whole day again at every decision, with a wide layer: a millisecond and
  /// more. It begins when a bar arrives, so on a busy machine it may be ready before the client
  /// asks.
  @Test
  void aGraphThatIsTooSlowMeansTheFallback() throws IOException {
    Path own = folder.resolve("own");
    String wide = "network: {class: Recurrent, kwargs: {hidden_dim: 512}}\n";
    done("train", config("own.yml", wide), "--out", own, "--run-backtest");
    Path graph = folder.resolve("model.onnx");
    done("export", own, "--out", graph);
    Path run = folder.resolve("elsewhere");
    String policy = "policy: {class: Onnx, kwargs: {path: '%s'}}\n".formatted(graph);
    done("train", config("elsewhere.yml", policy), "--out", run);
    Path bundle = folder.resolve("model.tranche");
    done("export", run, "--out", bundle);
    List<String> some = Files.readAllLines(own.resolve("result.csv")).subList(0, 3);
    Path results = Files.write(folder.resolve("some.csv"), some);
    Path orders = MarketVerbs.asOrders(results, folder.resolve("orders.csv"));
    Path decisions = folder.resolve("decisions.csv");

    MarketVerbs.served(100, folder, bundle, own.resolve("data/bars"), orders, decisions);

    Path events = folder.resolve("events.csv");
    done("journal", "export", folder.resolve("journal"), "--out", events);
    assertThat(Files.readAllLines(events).stream().filter(line -> line.contains(",Decided,")))
        .allMatch(line -> line.contains("source=TWAP") || line.contains("source=MODEL"))
        .anyMatch(line -> line.contains("source=TWAP"));
  }

  private static String judged(Path run) {
    return done("judge", run, "--json")
        .replace(run.toString(), "RUN")
        .replaceAll("00[0-9].ckpt", "");
  }

  private Path config(String name, String policy) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        """
        tranche: 1
        data: {market: {instruments: 3, days: 30}}
        trainer: {max_iterations: 1, episodes_per_iteration: 40}
        validation: {every: null}
        """
            + policy);
  }
}
