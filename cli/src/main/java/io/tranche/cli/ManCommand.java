package io.tranche.cli;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Version;
import io.tranche.cli.option.Arguments;
import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "man",
    description = {
      "Write manual pages, one for each verb.",
      "Read one with man DIR/tranche-train.1, or put DIR into MANPATH as a folder man1."
    })
final class ManCommand implements Callable<Integer> {

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder for the pages; made if missing.")
  private @Nullable Path out;

  @Parameters(arity = "0..1", hidden = true)
  private @Nullable Path old;

  private Path folder = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    folder = Arguments.target(out, old, console);
    try {
      Files.createDirectories(folder);
      int pages = write(spec.root().commandLine());
      console.out().printf("%s: %d pages%n", folder, pages);
      return ExitCode.OK;
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }

  private int write(CommandLine verb) throws IOException {
    String name = verb.getCommandSpec().qualifiedName("-");
    Files.writeString(folder.resolve(name + ".1"), page(verb));
    int pages = 1;
    for (CommandLine below : verb.getSubcommands().values()) {
      pages += write(below);
    }
    return pages;
  }

  private static String page(CommandLine verb) {
    CommandSpec spec = verb.getCommandSpec();
    String name = spec.qualifiedName("-");
    String[] description = spec.usageMessage().description();
    String version = Version.number();
    var page = new StringJoiner("\n", "", "\n");
    page.add(
        ".TH \"%s\" 1 \"\" \"tranche %s\" \"Tranche\""
            .formatted(name.toUpperCase(Locale.ROOT), version == null ? "" : version));
    page.add(".SH NAME").add(text(name + " - " + CompletionCommand.summary(verb)));
    page.add(".SH SYNOPSIS").add(".nf");
    page.add(text(new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF)).synopsis(0).strip()));
    page.add(".fi").add(".SH DESCRIPTION");
    page.add(text(String.join(" ", description)));
    if (!verb.getSubcommands().isEmpty()) {
      page.add(".SH VERBS");
      verb.getSubcommands()
          .forEach(
              (word, below) ->
                  page.add(".TP")
                      .add("\\fB" + text(word) + "\\fR")
                      .add(text(CompletionCommand.summary(below))));
    }
    if (!spec.positionalParameters().isEmpty() || !spec.options().isEmpty()) {
      page.add(".SH OPTIONS");
    }
    for (PositionalParamSpec each : spec.positionalParameters()) {
      if (each.hidden()) {
        continue;
      }
      page.add(".TP").add("\\fI" + text(each.paramLabel()) + "\\fR");
      page.add(text(String.join(" ", described(each))));
    }
    for (OptionSpec each : spec.options()) {
      String names =
          Arrays.stream(each.names()).map(ManCommand::bold).collect(Collectors.joining(", "));
      boolean takes = each.arity().max() > 0;
      page.add(".TP").add(names + (takes ? " \\fI" + text(each.paramLabel()) + "\\fR" : ""));
      page.add(text(String.join(" ", described(each))));
    }
    Stream.of(spec.root().usageMessage().footer())
        .dropWhile(line -> !line.startsWith("Exit codes"))
        .reduce((a, b) -> a + " " + b)
        .ifPresent(codes -> page.add(".SH EXIT STATUS").add(text(codes)));
    return page.toString();
  }

  /// Returns a description with its variables filled in.
  private static String[] described(ArgSpec argument) {
    String[] lines = argument.description();
    String byDefault = argument.defaultValue();
    return Arrays.stream(lines)
        .map(line -> line.replace("${DEFAULT-VALUE}", byDefault == null ? "none" : byDefault))
        .map(line -> line.replace("${COMPLETION-CANDIDATES}", candidates(argument)))
        .toArray(String[]::new);
  }

  private static String candidates(ArgSpec argument) {
    var words = new StringJoiner(", ");
    if (argument.completionCandidates() != null) {
      argument.completionCandidates().forEach(words::add);
    }
    return words.toString();
  }

  private static String bold(String word) {
    return "\\fB" + text(word) + "\\fR";
  }

  /// Returns text in which nothing is a command of the formatter.
  private static String text(String text) {
    return text.lines()
        .map(line -> line.replace("\\", "\\\\").replace("-", "\\-"))
        .map(line -> line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line)
        .collect(Collectors.joining("\n"));
  }
}
