package io.tranche.run.reference;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CombinationsTest {

  private static final List<List<String>> TABLE = Combinations.table();

  private static List<String> names(List<? extends Component<?>> components) {
    return components.stream().map(Component::name).distinct().toList();
  }

  @Test
  void noPartIsForgotten() {
    var rows = new ArrayList<>(names(ExecutionCatalog.stateInterpreters(null).components()));
    rows.addAll(names(ExecutionCatalog.actionInterpreters().components()));
    var columns = new ArrayList<>(names(PolicyCatalog.networks().components()));
    columns.addAll(names(PolicyCatalog.agents().components()));
    columns.remove("AllOne"); // a rule, which needs no network

    assertThat(TABLE.stream().skip(1).map(row -> row.getFirst().replaceFirst(" .*", "")).distinct())
        .containsExactlyInAnyOrderElementsOf(rows);
    assertThat(TABLE.getFirst().stream().skip(1)).containsExactlyElementsOf(columns);
  }

  /// What cannot be learnt by anything has bounds neither in Qlib nor by its settings.
  @Test
  void everyInterpreterHasANetworkAndAPolicy() {
    assertThat(TABLE.stream().skip(1).filter(row -> !row.contains("yes")).map(List::getFirst))
        .containsExactly(
            "TwapRelativeInterpreter", "TwapRelativeActionInterpreter", "VolumeInterpreter");
  }

  /// The table has pairs; agents have four parts.
  @Test
  void partsGoTogetherIfEveryTwoOfThemDo() {
    Map<List<String>, Boolean> agents = Combinations.agents();

    assertThat(agents).hasSizeGreaterThan(2_000);
    agents.forEach(
        (parts, goes) -> {
          boolean isSaid = true;
          for (String interpreter : List.of(parts.get(0), parts.get(2))) {
            for (String other : List.of(parts.get(1), parts.get(3))) {
              isSaid &= cell(interpreter, other).equals("yes");
            }
          }
          assertThat(isSaid).as("%s", parts).isEqualTo(goes);
        });
  }

  private static String cell(String interpreter, String other) {
    List<String> row =
        TABLE.stream()
            .filter(each -> each.getFirst().equals(interpreter))
            .findFirst()
            .orElseThrow();
    return row.get(TABLE.getFirst().indexOf(other));
  }

  @Test
  void thePageHasTheTable() throws IOException {
    String table =
        TABLE.stream()
            .map(row -> "| %s |".formatted(String.join(" | ", row)))
            .collect(Collectors.joining("\n"));
    String rule = "|%s\n".formatted("---|".repeat(TABLE.getFirst().size()));

    assertThat(Files.readString(Path.of("../docs/continuous.md")))
        .contains(table.replaceFirst("\n", "\n" + rule));
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
