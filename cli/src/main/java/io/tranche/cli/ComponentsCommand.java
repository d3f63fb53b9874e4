package io.tranche.cli;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigException;
import io.tranche.run.ComponentTable;
import io.tranche.run.ComponentTable.Row;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "components",
    description = {
      "List the components that configurations may name: kind, name, description, Qlib's modules.",
      "A name with a module behaves as in Qlib, quirks included; a name without one is our own, sound version."
    })
final class ComponentsCommand implements Callable<Integer> {

  @Parameters(index = "0", arity = "0..1", paramLabel = "KIND", description = "One kind only.")
  private @Nullable String kind;

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    List<Row> rows;
    try (Plugins.Loaded _ = plugins.load()) {
      rows = ComponentTable.all();
    }
    if (kind != null) {
      List<String> kinds = rows.stream().map(Row::kind).distinct().toList();
      if (!kinds.contains(kind)) {
        throw new ConfigException("KIND", "one of " + kinds, kind);
      }
      rows = rows.stream().filter(row -> row.kind().equals(kind)).toList();
    }
    print(rows);
    return ExitCode.OK;
  }

  private void print(List<Row> rows) {
    int kinds = rows.stream().mapToInt(row -> row.kind().length()).max().orElse(0);
    int names = rows.stream().mapToInt(row -> row.name().length()).max().orElse(0);
    for (Row row : rows) {
      String modules = row.modulePaths().isEmpty() ? "" : " " + row.modulePaths();
      console
          .out()
          .println(
              ("%-" + kinds + "s  %-" + names + "s  %s%s")
                  .formatted(row.kind(), row.name(), row.summary(), modules));
    }
  }
}
