package io.tranche.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.experiment.export.Inspection;
import io.tranche.policy.archive.PlainJson;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = {
      "Verify a model bundle, a checkpoint or a file of weights and say what is in it"
          + " (docs/bundle.md)."
    })
final class InspectCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "A .tranche bundle, a checkpoint, a .pth or a .safetensors file.")
  private Path file = Path.of("");

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private Plugins plugins = new Plugins();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Plugins.Loaded _ = plugins.load()) {
      Map<String, @Nullable Object> facts = Inspection.of(file);
      if (json) {
        out.println(new String(PlainJson.write(facts), UTF_8));
      } else {
        print(out, "", facts);
      }
      return ExitCode.OK;
    }
  }

  /// Prints what belongs together below its name, values in one column.
  private static void print(PrintWriter out, String indent, Map<?, ?> facts) {
    int width = 0;
    for (var fact : facts.entrySet()) {
      if (!(fact.getValue() instanceof Map)) {
        width = Math.max(width, name(fact.getKey()).length());
      }
    }
    for (var fact : facts.entrySet()) {
      String name = name(fact.getKey());
      if (fact.getValue() instanceof Map<?, ?> below) {
        out.println(indent + name);
        print(out, indent + "  ", below);
      } else {
        out.println(indent + name + " ".repeat(width - name.length() + 2) + text(fact.getValue()));
      }
    }
  }

  private static String name(@Nullable Object key) {
    return String.valueOf(key).replace('_', ' ');
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "not known";
      case List<?> list -> String.join(", ", list.stream().map(InspectCommand::text).toList());
      default -> value.toString();
    };
  }
}
