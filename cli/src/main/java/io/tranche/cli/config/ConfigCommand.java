package io.tranche.cli.config;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigException;
import io.tranche.config.NearestName;
import io.tranche.run.ComponentTable;
import io.tranche.run.ConfigKey;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.ObjectMapper;

@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    description = "What a configuration may say.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    subcommands = {ConfigCommand.Explain.class, ConfigCommand.Schema.class})
public final class ConfigCommand {

  @Command(
      name = "explain",
      description =
          "Say what a key means and what its default is; tranche components NAME explains a component.")
  static final class Explain implements Callable<Integer> {

    @Parameters(
        paramLabel = "KEY",
        arity = "0..1",
        description = "A key such as trainer.max_iterations, or a section (default: all).")
    private String key = "";

    @Mixin private Console console = new Console();

    @Override
    public Integer call() {
      List<ConfigKey> all = ConfigKey.all();
      List<ConfigKey> found =
          all.stream()
              .filter(
                  each ->
                      key.isEmpty()
                          || each.path().equals(key)
                          || each.path().startsWith(key + ".")
                          || each.path().endsWith("." + key))
              .toList();
      if (found.isEmpty()) {
        String nearest = NearestName.of(key, names(all));
        throw new ConfigException(
            "KEY",
            "a key of docs/reference/configuration.md"
                + (nearest == null ? "" : " (nearest: %s)".formatted(nearest)),
            key);
      }
      found.forEach(each -> console.out().printf("%s: %s%n", each.path(), each.text()));
      return ExitCode.OK;
    }
  }

  /// Returns the paths of all keys, and their last parts.
  private static List<String> names(List<ConfigKey> keys) {
    return keys.stream()
        .map(ConfigKey::path)
        .flatMap(path -> Stream.of(path, path.substring(path.lastIndexOf('.') + 1)))
        .toList();
  }

  @Command(
      name = "schema",
      description = {
        "Print the JSON schema of our own dialect, for editors.",
        "An editor with a YAML language server uses it for files that begin with"
            + " '# yaml-language-server: $schema=FILE'."
      })
  static final class Schema implements Callable<Integer> {

    @Mixin private Plugins plugins = new Plugins();

    @Mixin private Console console = new Console();

    @Override
    public Integer call() {
      try (Plugins.Loaded _ = plugins.load()) {
        console
            .out()
            .println(
                new ObjectMapper()
                    .writerWithDefaultPrettyPrinter()
                    .writeValueAsString(ConfigSchema.of(ComponentTable.all())));
      }
      return ExitCode.OK;
    }
  }
}
