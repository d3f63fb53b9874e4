package io.tranche.cli;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigException;
import io.tranche.run.ComponentTable;
import io.tranche.run.ComponentTable.Row;
import io.tranche.run.ComponentTable.Setting;
import io.tranche.run.reference.Combinations;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "components",
    description = {
      "List the components that configurations may name: kind, name, description, Qlib's modules.",
      "With a component's name: its settings, their defaults and meanings.",
      "With 'combinations': which interpreters, networks and policies go together.",
      "A name with a module behaves as in Qlib, quirks included; a name without one is our own, sound version."
    })
final class ComponentsCommand implements Callable<Integer> {

  private static final String COMBINATIONS = "combinations";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "KIND|NAME",
      description = "One kind only, one component with its settings, or combinations.")
  private @Nullable String choice;

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    if (COMBINATIONS.equals(choice)) {
      printTable(Combinations.table());
      return ExitCode.OK;
    }
    List<Row> rows;
    try (Plugins.Loaded _ = plugins.load()) {
      rows = ComponentTable.all();
    }
    if (choice != null) {
      List<Row> all = rows;
      rows =
          all.stream()
              .filter(row -> isKind(row.kind(), choice) || row.name().equals(choice))
              .toList();
      if (rows.isEmpty()) {
        List<String> kinds = all.stream().map(Row::kind).distinct().toList();
        throw new ConfigException(
            "KIND|NAME", "the name of a component, or one of " + kinds, choice);
      }
    }
    print(rows);
    if (rows.size() == 1) {
      printSettings(ComponentTable.settings(rows.getFirst().name()));
      printPartners(rows.getFirst().name());
    }
    return ExitCode.OK;
  }

  /// Kinds are called as their keys are, some of one and some of many: either form will do.
  private static boolean isKind(String kind, String written) {
    return stem(kind).equals(stem(written));
  }

  private static String stem(String word) {
    return word.replaceFirst("ies$", "y").replaceFirst("s$", "");
  }

  /// Prints what the table of combinations says of one part.
  private void printPartners(String name) {
    List<List<String>> table = Combinations.table();
    int column = table.getFirst().indexOf(name);
    if (column > 0) {
      printPartners("goes with", table.stream().skip(1), row -> row.get(column), List::getFirst);
    }
    for (List<String> row : table) {
      if (row.getFirst().split(" ", 2)[0].equals(name)) {
        printPartners(
            row.getFirst() + " goes with",
            IntStream.range(1, row.size()).boxed(),
            row::get,
            table.getFirst()::get);
      }
    }
  }

  private <T> void printPartners(
      String what, Stream<T> others, Function<T, String> answer, Function<T, String> label) {
    List<String> going =
        others.filter(each -> answer.apply(each).equals(Combinations.YES)).map(label).toList();
    console
        .out()
        .println(
            "  %s: %s".formatted(what, going.isEmpty() ? "nothing" : String.join("; ", going)));
  }

  private void printTable(List<List<String>> rows) {
    for (List<String> row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        int column = i;
        int width = rows.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
        line.append(("%-" + width + "s  ").formatted(row.get(i)));
      }
      console.out().println(line.toString().stripTrailing());
    }
  }

  private void printSettings(List<Setting> settings) {
    int keys = settings.stream().mapToInt(each -> each.key().length()).max().orElse(0);
    for (Setting each : settings) {
      console
          .out()
          .println(
              ("  %-" + keys + "s  %s (default: %s)")
                  .formatted(each.key(), each.meaning(), each.byDefault())
                  .replace("(default: required)", "(required)"));
    }
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
