package io.tranche.cli.replay;

import io.tranche.cli.option.Arguments;
import io.tranche.config.ConfigException;
import io.tranche.runtime.LoadedModel;
import io.tranche.serving.client.TrancheClient;
import io.tranche.serving.http.Token;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The target of a replay, and how a service is asked.
final class TargetOptions {

  private static final String EXPECTED = "a bundle, or an address such as http://127.0.0.1:8700";
  private static final Duration USUAL_PATIENCE = Duration.ofSeconds(60);

  @Parameters(
      paramLabel = "BUNDLE|URL",
      description = "A model, or the address of a service, such as http://127.0.0.1:8700.")
  private String target = "";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the token of the service.")
  private @Nullable Path token;

  @Option(
      names = "--deadline-micros",
      paramLabel = "N",
      description =
          "Deadline of a decision of the service, in microseconds (default: the service's own).")
  private @Nullable Integer deadlineMicros;

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      description =
          "How long the service may be unreachable before the replay gives up (default: 60s).")
  private @Nullable String patience;

  @Option(
      names = "--shift-weeks",
      paramLabel = "N",
      description =
          "Play all days N weeks later, for a service that has already seen them; ids get N as a suffix.")
  private @Nullable Integer shiftWeeks;

  /// @throws ConfigException if there is no such target
  ReplayTarget open(StopRequest stop, ReplayTally tally) {
    if (target.startsWith("http://") || target.startsWith("https://")) {
      return service(stop, tally);
    }
    if (target.contains(":") && !Files.exists(Path.of(target))) {
      throw new ConfigException("BUNDLE|URL", EXPECTED, target);
    }
    if (token != null || deadlineMicros != null || patience != null || shiftWeeks != null) {
      throw new ConfigException(
          "--token-file, --deadline-micros, --patience and --shift-weeks", "a service", target);
    }
    LoadedModel model = LoadedModel.open(Path.of(target));
    model.warmUp();
    return new ReplayTarget.OfModel(target, model);
  }

  private ReplayTarget service(StopRequest stop, ReplayTally tally) {
    Arguments.atLeast("--deadline-micros", 1, deadlineMicros == null ? 1 : deadlineMicros);
    String shown = token == null ? null : read(token);
    var plain = new TrancheClient(address());
    var client =
        new PatientClient(
            shown == null ? plain : plain.withToken(shown),
            target,
            patience == null ? USUAL_PATIENCE : ReplayCommand.duration("--patience", patience),
            stop,
            _ -> tally.retried());
    boolean isOpen = false;
    try {
      var manner =
          new ServiceDecisions.Manner(
              deadlineMicros == null ? null : (long) deadlineMicros,
              shiftWeeks == null ? 0 : shiftWeeks,
              shiftWeeks == null ? "" : "+%dw".formatted(shiftWeeks));
      var first = ServiceDecisions.of(client, manner);
      isOpen = true;
      return new ReplayTarget.OfService(target, client, first);
    } finally {
      if (!isOpen) {
        client.close();
      }
    }
  }

  private URI address() {
    try {
      var address = new URI(target);
      if (address.getHost() != null && address.getPath().replace("/", "").isEmpty()) {
        return address;
      }
    } catch (URISyntaxException _) {
      // named below
    }
    throw new ConfigException("BUNDLE|URL", EXPECTED, target);
  }

  private static String read(Path file) {
    Token.read(file); // says what is wrong with it
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new ConfigException(file.toString(), "a file that can be read", e.getMessage());
    }
  }
}
