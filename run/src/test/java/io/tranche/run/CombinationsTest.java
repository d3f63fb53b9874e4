package io.tranche.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.Component;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.env.space.Space;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.interpreter.CurrentStepInterpreter;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.network.BuildContext;
import io.tranche.run.reference.Combinations;
import io.tranche.run.reference.Combinations.Grid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CombinationsTest {

  private static List<String> names(List<? extends Component<?>> components) {
    return components.stream().map(Component::name).distinct().toList();
  }

  private static List<String> firstColumn(Grid grid) {
    return grid.rows().stream()
        .skip(1)
        .map(row -> row.getFirst().replaceFirst(" .*", ""))
        .distinct()
        .toList();
  }

  private static List<String> firstRow(Grid grid) {
    return grid.rows().getFirst().stream().skip(1).toList();
  }

  @Test
  void noPartIsForgotten() {
    Grid networks = Combinations.networks();
    Grid policies = Combinations.policies();

    assertThat(firstColumn(networks))
        .containsExactlyInAnyOrderElementsOf(
            names(ExecutionCatalog.stateInterpreters(null).components()));
    assertThat(firstRow(networks))
        .containsExactlyElementsOf(names(PolicyCatalog.networks().components()));
    assertThat(firstColumn(policies))
        .containsExactlyInAnyOrderElementsOf(
            names(ExecutionCatalog.actionInterpreters().components()));
  }

  @Test
  void everyInterpreterHasANetwork() {
    assertThat(Combinations.networks().rows().stream().skip(1))
        .allSatisfy(row -> assertThat(row).contains("yes"));
  }

  @Test
  void thePageHasBothTables() throws IOException {
    String page = Files.readString(Path.of("../docs/networks.md"));
    for (Grid grid : List.of(Combinations.networks(), Combinations.policies())) {
      String table =
          grid.rows().stream()
              .map(row -> "| %s |".formatted(String.join(" | ", row)))
              .collect(Collectors.joining("\n"));
      String rule = "|%s\n".formatted("---|".repeat(grid.rows().getFirst().size()));

      assertThat(page).contains(table.replaceFirst("\n", "\n" + rule));
    }
  }

  @Test
  void whatDoesNotGoTogetherSaysWhatWould() {
    var space = CurrentStepInterpreter.of(8).observationSpace();
    var context = BuildContext.of(space, new Space.Discrete(5), 0);
    Stream.of("RecurrentNetwork", "DualAttention", "CausalTransformer")
        .forEach(
            name ->
                assertThatThrownBy(
                        () ->
                            PolicyCatalog.network(
                                ConfigFiles.parse("network", "{class: %s}".formatted(name)),
                                context))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(
                        "expected a network for any observation, such as Mlp, or a"
                            + " state_interpreter that shows days, such as FullHistoryInterpreter,"
                            + " was a network over days"));
  }
}
