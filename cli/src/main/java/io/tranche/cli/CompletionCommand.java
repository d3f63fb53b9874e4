package io.tranche.cli;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = {
      "Print the completion script of a shell.",
      "bash: source <(tranche completion bash). zsh: the same after autoload -U bashcompinit && bashcompinit.",
      "fish: tranche completion fish > ~/.config/fish/completions/tranche.fish."
    })
final class CompletionCommand implements Callable<Integer> {

  /// The shells that have a script.
  enum Shell {
    BASH,
    ZSH,
    FISH
  }

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.BASH;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    console
        .out()
        .println(shell == Shell.FISH ? fish(root) : AutoComplete.bash(spec.root().name(), root));
    return ExitCode.OK;
  }

  /// picocli knows bash and zsh only.
  private static String fish(CommandLine root) {
    var lines = new ArrayList<String>();
    lines.add("complete -c tranche -n __fish_use_subcommand -f");
    for (Map.Entry<String, CommandLine> verb : root.getSubcommands().entrySet()) {
      lines.add(
          "complete -c tranche -n __fish_use_subcommand -a %s -d %s"
              .formatted(verb.getKey(), quoted(summary(verb.getValue()))));
      add(verb.getValue(), List.of(verb.getKey()), lines);
    }
    return String.join("\n", lines);
  }

  private static void add(CommandLine verb, List<String> words, List<String> lines) {
    String condition =
        words.stream()
            .map("__fish_seen_subcommand_from %s"::formatted)
            .collect(Collectors.joining("; and ", "'", "'"));
    for (OptionSpec option : verb.getCommandSpec().options()) {
      String names =
          Arrays.stream(option.names())
              .map(
                  name ->
                      name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
              .collect(Collectors.joining(" "));
      String value = option.arity().max() > 0 ? " -r" : "";
      String text = option.description().length == 0 ? "" : option.description()[0];
      lines.add(
          "complete -c tranche -n %s %s%s -d %s".formatted(condition, names, value, quoted(text)));
    }
    verb.getSubcommands()
        .forEach(
            (name, below) -> {
              lines.add(
                  "complete -c tranche -n %s -a %s -d %s"
                      .formatted(condition, name, quoted(summary(below))));
              var path = new ArrayList<>(words);
              path.add(name);
              add(below, path, lines);
            });
  }

  /// Returns the first line of what a verb says of itself.
  static String summary(CommandLine verb) {
    String[] text = verb.getCommandSpec().usageMessage().description();
    return text.length == 0 ? "" : text[0];
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
