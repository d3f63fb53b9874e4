package io.tranche.cli;

import static io.tranche.cli.MarketVerbs.asOrders;
import static io.tranche.cli.MarketVerbs.done;
import static io.tranche.cli.MarketVerbs.replayed;
import static io.tranche.cli.MarketVerbs.results;
import static io.tranche.cli.MarketVerbs.served;
import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.ModelBundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Agents that come to outputs which are NaN, infinite or beyond all bounds: in a backtest, in the
/// runtime and in a service alike.
class InvalidActionsTest {

  private static final float HUGE = 3e38f;

  @TempDir Path folder;
  private Path run = Path.of("");
  private Path bars = Path.of("");
  private Path orders = Path.of("");

  private void train(String policy) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("run.yml"),
            """
            tranche: 1
            data: {market: {instruments: 1, days: 20}, features: {providers: [price_moves]}}
            network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
            action_interpreter: {class: TwapRelativeInterpreter, kwargs: {max_rate: 6}}
            policy: {class: %s}
            trainer: {max_iterations: 1, episodes_per_iteration: 8, repeat: 1}
            validation: {every: null}
            """
                .formatted(policy));
    run = folder.resolve("run");
    done("train", config, "--out", run, "--run-backtest");
    bars = run.resolve("data/bars");
    orders = asOrders(run.resolve("result.csv"), folder.resolve("orders.csv"));
    Files.write(orders, Files.readAllLines(orders).subList(0, 3));
    done("export", run, "--out", folder.resolve("sound@1.tranche"));
  }

  /// Sets the weights of some parameters to 0, and others as `values` says.
  private static StateDict changed(StateDict weights, UnaryOperator<Map<String, float[]>> values) {
    Map<String, float[]> arrays = new LinkedHashMap<>();
    weights.tensors().forEach((name, tensor) -> arrays.put(name, new float[tensor.size()]));
    var written = values.apply(arrays);
    var changed = new LinkedHashMap<String, Tensor>();
    weights
        .tensors()
        .forEach(
            (name, tensor) ->
                changed.put(
                    name, Tensor.of(tensor.shape(), Objects.requireNonNull(written.get(name)))));
    return new StateDict(changed);
  }

  /// A parameter has several names.
  private static void fill(Map<String, float[]> weights, String name, float... pattern) {
    assertThat(weights.keySet()).anyMatch(each -> each.endsWith(name));
    weights.forEach(
        (each, values) -> {
          for (int i = 0; i < values.length && each.endsWith(name); i++) {
            values[i] = pattern[i % pattern.length];
          }
        });
  }

  /// As long as no price has moved all outputs are 0; then two infinite numbers are subtracted.
  private static Map<String, float[]> nan(Map<String, float[]> weights) {
    fill(weights, "extractor.raw_fc.0.weight", 1e30f);
    // The last third of a GRU's weights makes new states; the others keep half of the old one.
    float[] states = new float[3 * 8 * 8];
    Arrays.fill(states, 2 * 8 * 8, states.length, 1);
    fill(weights, "extractor.raw_rnn.weight_ih_l0", states);
    fill(weights, "extractor.fc.0.weight", HUGE);
    fill(weights, "extractor.fc.2.weight", 1);
    fill(weights, "layer_out.0.weight", 1, -1);
    return weights;
  }

  /// All features are 10, whatever is seen, and the first output is infinite.
  private static Map<String, float[]> infinite(Map<String, float[]> weights) {
    fill(weights, "extractor.fc.2.bias", 10);
    fill(weights, "layer_out.0.weight", HUGE, HUGE, HUGE, HUGE, 0, 0, 0, 0);
    return weights;
  }

  /// Writes the weights as a checkpoint and as a model.
  private Path model(UnaryOperator<Map<String, float[]>> values) {
    SmallTraining.other(run.resolve("checkpoints/001.ckpt"), 2, each -> changed(each, values));
    ModelBundle sound = BundleFile.read(folder.resolve("sound@1.tranche"));
    Path file = folder.resolve("changed@1.tranche");
    BundleFile.write(
        file,
        new ModelBundle(
            sound.spec(),
            List.of(changed(sound.members().getFirst(), values)),
            sound.lineage(),
            sound.metrics()));
    return file;
  }

  private static void refused(Object... words) {
    Run run = Run.of(Arrays.stream(words).map(Object::toString).toArray(String[]::new));
    assertThat(run.status()).as(run.err()).isEqualTo(4);
    String message =
        run.err().lines().filter(line -> line.contains("expected")).findFirst().orElse("");
    assertThat(message).contains("expected an action in [-1.5, 7.5], or invalid_actions: bound");
    assertDocumented(message.substring(message.indexOf("expected")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "beta"})
  void nanIsANamedErrorAndAServiceAnswersWithTwap(String head) throws IOException {
    train("Ppo, kwargs: {learning_rate: 0.001, head: %s}".formatted(head));
    Path model = model(InvalidActionsTest::nan);
    Path checkpoint = run.resolve("checkpoints/002.ckpt");

    refused(
        "backtest", run, "--weights", checkpoint, "--orders", orders, "--out", folder.resolve("b"));
    refused("decide", model, "--bars", bars, "--orders", orders, "--out", folder.resolve("d.csv"));
    refused("replay", model, "--bars", bars, "--orders", orders, "--out", folder.resolve("r.csv"));
    Path decisions = folder.resolve("served.csv");
    List<List<Double>> figures = served(folder, model, bars, orders, decisions);

    assertThat(figures)
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.get(3)).isCloseTo(1, within(1e-9)));
    assertThat(volumes(decisions)).hasSizeGreaterThan(4).doesNotContain(0.0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Ppo, kwargs: {learning_rate: 0.001, invalid_actions: bound}             | nan
          Ppo, kwargs: {learning_rate: 0.001, invalid_actions: bound, head: beta} | nan
          Sac, kwargs: {learning_rate: 0.001, invalid_actions: bound}             | nan
          Ppo, kwargs: {learning_rate: 0.001}                                     | infinite
          """)
  void aBoundIsTheSameEverywhere(String policy, String outputs) throws IOException {
    train(policy);
    boolean isNan = outputs.equals("nan");
    Path model = model(isNan ? InvalidActionsTest::nan : InvalidActionsTest::infinite);
    Path checkpoint = run.resolve("checkpoints/002.ckpt");
    Path backtested = folder.resolve("backtested");
    Path table = folder.resolve("replayed.csv");
    Path decided = folder.resolve("decided.csv");

    done("backtest", run, "--weights", checkpoint, "--orders", orders, "--out", backtested);
    List<List<Double>> figures = results(backtested.resolve("result.csv"));
    done(
        "replay",
        model,
        "--bars",
        bars,
        "--orders",
        orders,
        "--out",
        table,
        "--decisions",
        decided,
        "--quiet");

    assertThat(replayed(table)).isEqualTo(figures);
    assertThat(served(folder, model, bars, orders, folder.resolve("served.csv")))
        .isEqualTo(figures);
    List<Double> volumes = volumes(decided);
    if (isNan) {
      assertThat(volumes).contains(0.0);
    } else {
      // Six times the rate of TWAP: six eighths of the order, six sevenths of the rest, the rest.
      assertThat(volumes).hasSize(6);
      double amount = volumes.get(0) + volumes.get(1) + volumes.get(2);
      assertThat(volumes.get(0)).isCloseTo(amount * 6 / 8, within(1e-6 * amount));
      assertThat(volumes.get(1)).isCloseTo(amount / 4 * 6 / 7, within(1e-6 * amount));
    }
  }

  private static List<Double> volumes(Path decisions) throws IOException {
    List<String> lines = Files.readAllLines(decisions);
    int column = List.of(lines.getFirst().split(",", -1)).indexOf("volume");
    return lines.stream()
        .skip(1)
        .sorted()
        .map(line -> Double.valueOf(line.split(",", -1)[column]))
        .toList();
  }
}
