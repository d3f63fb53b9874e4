package io.tranche.site.reference;

import io.tranche.cli.Main;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.StringJoiner;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// Every verb of the command line with its options.
final class VerbsPage {

  private VerbsPage() {}

  static String text() {
    var page =
        new StringBuilder(
            Reference.top(
                "Verbs",
                "For everybody who uses the command line. After reading, you know every verb and every option of it."));
    page.append(
        """
        `tranche VERB --help` prints the same, `tranche completion bash` completes it, `tranche man --out DIR` writes manual pages. Exit codes:
        [exit-codes.md](exit-codes.md). Every verb also takes `--help`, `--quiet` and `--verbose`.

        | verb | what it does |
        |---|---|
        """);
    var root = new CommandLine(Main.class);
    for (CommandLine verb : new LinkedHashSet<>(root.getSubcommands().values())) {
      String name = verb.getCommandName();
      page.append("| [`%s`](#tranche-%s) | %s |\n".formatted(name, name, summary(verb)));
    }
    for (CommandLine verb : new LinkedHashSet<>(root.getSubcommands().values())) {
      write(page, verb, "##");
    }
    return page.toString();
  }

  private static void write(StringBuilder page, CommandLine verb, String level) {
    CommandSpec spec = verb.getCommandSpec();
    page.append("\n%s %s\n".formatted(level, spec.qualifiedName()));
    page.append(description(spec)).append('\n');
    page.append(
        "\n```text\n%s\n```\n"
            .formatted(new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF)).synopsis(0).strip()));
    var rows = new StringJoiner("");
    for (PositionalParamSpec each : spec.positionalParameters()) {
      if (!each.hidden()) {
        rows.add(row(each.paramLabel(), each));
      }
    }
    for (OptionSpec each : spec.options()) {
      if (!each.hidden() && !isEverywhere(each)) {
        String names = String.join("`, `", each.names());
        String value = each.arity().max() > 0 ? " " + each.paramLabel() : "";
        rows.add(row(names + value, each));
      }
    }
    if (rows.length() > 0) {
      page.append("\n| argument | what it does |\n|---|---|\n").append(rows);
    }
    for (CommandLine below : new LinkedHashSet<>(verb.getSubcommands().values())) {
      write(page, below, "###");
    }
  }

  private static boolean isEverywhere(OptionSpec option) {
    return Arrays.asList("--help", "--version", "--quiet", "--verbose")
        .contains(option.longestName());
  }

  private static String row(String name, ArgSpec argument) {
    return "| `%s` | %s |\n"
        .formatted(
            name.replace("|", "\\|"), plain(String.join(" ", argument.description()), argument));
  }

  /// Returns a description whose list of values, which picocli has filled in, is code.
  private static String plain(String text, ArgSpec argument) {
    String byDefault = argument.defaultValue();
    String plain = text.replace("${DEFAULT-VALUE}", byDefault == null ? "none" : byDefault);
    var values = new ArrayList<String>();
    if (argument.completionCandidates() != null) {
      argument.completionCandidates().forEach(values::add);
    }
    return values.isEmpty()
        ? escape(plain)
        : escape(plain)
            .replace(escape(String.join(", ", values)), "`" + String.join("`, `", values) + "`");
  }

  private static String description(CommandSpec spec) {
    return escape(String.join(" ", spec.usageMessage().description()));
  }

  private static String summary(CommandLine verb) {
    String[] lines = verb.getCommandSpec().usageMessage().description();
    return lines.length == 0 ? "" : escape(lines[0]);
  }

  private static String escape(String text) {
    return Reference.cell(text.replace("%n", " ").replace("%%", "%"))
        .replace("*", "\\*")
        .replace("<", "\\<")
        .replace("_", "\\_");
  }
}
