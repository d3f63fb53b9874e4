package io.tranche.cli.model;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.option.Plugins;
import io.tranche.work.export.Inspection;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "inspect",
    description = {
      "Verify a model bundle, a checkpoint or a file of weights and show what is in it"
          + " (docs/bundle.md)."
    })
public final class InspectCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "A .tranche bundle, a checkpoint, a .pth or a .safetensors file.")
  private Path file = Path.of("");

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    try (Plugins.Loaded _ = plugins.load()) {
      Map<String, @Nullable Object> facts = Inspection.of(file);
      if (json) {
        console.out().println(Inspection.json(facts));
      } else {
        print(console.out(), "", facts);
      }
      return ExitCode.OK;
    }
  }

  /// Prints groups below their names, with values in one column, and lists with one line per item.
  private static void print(PrintWriter out, String indent, Map<?, ?> facts) {
    int width = 0;
    for (var fact : facts.entrySet()) {
      if (!(fact.getValue() instanceof Map) && !isTable(fact.getValue())) {
        width = Math.max(width, String.valueOf(fact.getKey()).length());
      }
    }
    for (var fact : facts.entrySet()) {
      String name = String.valueOf(fact.getKey());
      if (fact.getValue() instanceof Map<?, ?> below) {
        out.println(indent + name);
        print(out, indent + "  ", below);
      } else if (fact.getValue() instanceof List<?> rows && isTable(rows)) {
        out.println(indent + name);
        rows.forEach(row -> out.println(indent + "  " + text(row)));
      } else {
        out.println(indent + name + " ".repeat(width - name.length() + 2) + text(fact.getValue()));
      }
    }
  }

  private static boolean isTable(@Nullable Object value) {
    return value instanceof List<?> list
        && !list.isEmpty()
        && list.stream().allMatch(Map.class::isInstance);
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "not known";
      case List<?> list -> String.join(", ", list.stream().map(InspectCommand::text).toList());
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> entry.getKey() + " " + text(entry.getValue()))
              .collect(Collectors.joining(", "));
      default -> value.toString();
    };
  }
}
