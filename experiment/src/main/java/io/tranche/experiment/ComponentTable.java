package io.tranche.experiment;

import io.tranche.config.Catalog;
import io.tranche.env.Observation;
import io.tranche.env.Space;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.policy.catalog.AlgorithmContext;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.tensor.Crew;
import java.util.ArrayList;
import java.util.List;

/// All that configurations may name, for printing.
public final class ComponentTable {

  /// A name.
  ///
  /// @param kind the key that takes it
  /// @param modulePaths Qlib's modules; empty for a native name
  public record Row(String kind, String name, List<String> modulePaths, String summary) {

    public Row {
      modulePaths = List.copyOf(modulePaths);
    }
  }

  private ComponentTable() {}

  /// Returns everything, with what providers on the class path add.
  public static List<Row> all() {
    var rows = new ArrayList<Row>();
    add(rows, "simulator", ExecutionCatalog.simulators());
    add(rows, "state_interpreter", ExecutionCatalog.stateInterpreters());
    add(rows, "action_interpreter", ExecutionCatalog.actionInterpreters());
    add(rows, "reward", ExecutionCatalog.rewards());
    add(rows, "network", PolicyCatalog.networks(1));
    add(rows, "features", ExecutionCatalog.featureSources(1));
    add(rows, "ticks", ExecutionCatalog.tickSources());
    try (var crew = new Crew(1)) {
      var nothing = new AlgorithmContext<Observation>(null, new Space.Discrete(1), crew);
      add(rows, "policy", PolicyCatalog.algorithms(nothing));
    }
    return rows;
  }

  private static void add(List<Row> rows, String kind, Catalog<?> catalog) {
    catalog
        .withInstalled()
        .components()
        .forEach(
            component ->
                rows.add(
                    new Row(kind, component.name(), component.modulePaths(), component.summary())));
  }
}
