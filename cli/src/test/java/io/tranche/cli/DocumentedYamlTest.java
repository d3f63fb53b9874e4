package io.tranche.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.table.ColumnMapping;
import io.tranche.run.ExecutionRun;
import io.tranche.testkit.Shared;
import io.tranche.work.backtest.BacktestPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The YAML that the documents show is read by what it is for: unknown keys and wrong values are
/// found. `ShownCommandsTest` starts a service with that of docs/serving.md.
class DocumentedYamlTest {

  private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  static Stream<Path> documents() throws IOException {
    return DocumentationTest.documents();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyBlockIsRead(Path document) throws IOException {
    BLOCK
        .matcher(Files.readString(document))
        .results()
        .map(block -> block.group(1))
        .forEach(text -> assertThatCode(() -> read(text)).as(text).doesNotThrowAnyException());
  }

  private static void read(String text) throws IOException {
    ConfigNode config = ConfigFiles.parse("block", text);
    if (config.has("tune")) {
      runs(text);
    } else if (config.has("fit_end")) {
      FeatureConfig.from(config);
    } else if (config.has("time_column") || config.has("session")) {
      ColumnMapping.from(config);
    } else if (config.has("order_file")) {
      Path backtest = Shared.root().resolve("examples/qlib-run/exp_configs/backtest_twap.yml");
      ConfigNode whole = ConfigFiles.load(backtest);
      for (String key : config.keys()) {
        whole = whole.with(key, requireNonNull(config.optional(key)));
      }
      ConfigNode changed = whole;
      // The keys are known; the addresses are those of a cluster.
      assertThatThrownBy(() -> BacktestPlan.from(changed, _ -> {}))
          .hasMessageStartingWith("--on: expected a cluster");
    } else if (!config.has("http")) { // that of a service, see above
      String whole = config.has("data") ? text : text + "data: {market: {seed: 1}}\n";
      ExecutionRun.read(
          ConfigFiles.parse("block", config.has("tranche") ? whole : "tranche: 1\n" + whole),
          _ -> {});
    }
  }

  /// A search is that of the example, which the page runs, but for the number of trials.
  private static void runs(String text) throws IOException {
    List<String> example = Files.readAllLines(Shared.root().resolve("examples/configs/tune.yml"));
    assertThat(example)
        .containsAll(
            text.lines()
                .map(line -> line.replaceAll("\\s+#.*", ""))
                .filter(line -> !line.startsWith("trials"))
                .toList());
  }
}
