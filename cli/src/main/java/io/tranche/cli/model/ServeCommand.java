package io.tranche.cli.model;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.StopSignal;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.serving.app.DecisionServer;
import io.tranche.serving.app.DecisionServerConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "serve",
    description = {
      "Serve decisions for orders over HTTP (docs/serving.md).",
      "Prints its address when it is ready, and logs lines of JSON to standard error. SIGTERM and Ctrl-C let it finish"
          + " what is under way."
    })
public final class ServeCommand implements Callable<Integer> {

  @Parameters(
      arity = "1..*",
      paramLabel = "BUNDLE",
      description =
          "Model files name@version.tranche, all in one folder; new orders go to the first. Others of that"
              + " folder can be loaded later.")
  private List<Path> bundles = new ArrayList<>();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A .yml or .json file with http, predict, engine, journal and log.")
  private @Nullable Path config;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "Address to listen on (default: 127.0.0.1); any but loopback needs a token.")
  private @Nullable String bind;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port to listen on (default: 8700); 0 takes a free one.")
  private @Nullable Integer port;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the token of administrative calls; without it they are refused.")
  private @Nullable Path token;

  @Option(
      names = "--journal",
      paramLabel = "DIR",
      description =
          "Folder of the orders (default: journal); a service continues with what is there.")
  private @Nullable Path journal;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "Replaces a value of the file, such as engine.deadline_micros=5000; may be repeated.")
  private List<String> assignments = new ArrayList<>();

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() throws InterruptedException {
    try (Plugins.Loaded _ = plugins.load()) {
      DecisionServer server = DecisionServer.start(settings(), console.err()::println);
      try (var _ = new StopSignal(server.http()::requestDrain);
          server) {
        console.out().println("listening on " + server.http().url());
        console.out().flush();
        server.http().awaitDrainRequest();
      }
      return ExitCode.OK;
    }
  }

  private DecisionServerConfig settings() {
    ConfigNode node = config == null ? ConfigFiles.of("--set", Map.of()) : ConfigFiles.load(config);
    for (String assignment : assignments) {
      node = node.with(assignment);
    }
    Map<String, Object> http = new LinkedHashMap<>();
    if (bind != null) {
      http.put("bind", bind);
    }
    if (port != null) {
      http.put("port", port);
    }
    if (token != null) {
      http.put("token_file", token.toAbsolutePath().toString());
    }
    Map<String, Object> typed = new LinkedHashMap<>(Map.of("http", http));
    if (journal != null) {
      typed.put("journal", journal.toAbsolutePath().toString());
    }
    Path base = config == null ? Path.of("") : config.resolveSibling("");
    return DecisionServerConfig.of(bundles, ConfigFiles.of("command line", typed).over(node), base);
  }
}
