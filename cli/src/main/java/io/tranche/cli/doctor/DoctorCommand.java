package io.tranche.cli.doctor;

import io.tranche.analysis.doctor.Diagnosis;
import io.tranche.analysis.doctor.Doctor;
import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.option.JsonOption;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.serving.http.Token;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "doctor",
    description = {
      "Find what is wrong although nothing fails: symptom, cause and cure (docs/troubleshooting.md).",
      "Looks at the machine and, if given, at a run directory or the metrics of a service.",
      "Exit code 1 if something was found."
    })
public final class DoctorCommand implements Callable<Integer> {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "RUN|URL",
      description =
          "A run directory of tranche train, or the address of a service, such as"
              + " http://127.0.0.1:8700.")
  private @Nullable String subject;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the token of the service.")
  private @Nullable Path token;

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private JsonOption json = new JsonOption();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    List<Diagnosis> findings;
    try (Plugins.Loaded _ = plugins.load()) {
      findings = findings();
    }
    if (json.isWanted()) {
      JsonOption.print(Map.of("findings", findings), console);
    } else {
      print(findings);
    }
    return findings.isEmpty() ? ExitCode.OK : ExitCode.INTERNAL;
  }

  private List<Diagnosis> findings() {
    var findings = new ArrayList<>(machine());
    if (subject == null) {
      return findings;
    }
    boolean isService = subject.startsWith("http://") || subject.startsWith("https://");
    if (token != null && !isService) {
      throw new ConfigException("--token-file", "the address of a service", subject);
    }
    findings.addAll(
        isService
            ? Doctor.ofService(metrics(subject))
            : Doctor.ofRun(Path.of(subject), Instant.now()));
    return findings;
  }

  private static List<Diagnosis> machine() {
    try {
      long disk = Files.getFileStore(Path.of("").toAbsolutePath()).getUsableSpace();
      return Doctor.ofMachine(Runtime.getRuntime().maxMemory(), disk);
    } catch (IOException _) {
      return List.of(); // a folder that nobody can read shows in everything else
    }
  }

  private String metrics(String url) {
    URI address;
    try {
      address = URI.create(url.replaceAll("/+$", "") + "/metrics");
    } catch (IllegalArgumentException _) {
      throw new ConfigException("RUN|URL", "an address such as http://127.0.0.1:8700", url);
    }
    var request = HttpRequest.newBuilder(address).timeout(PATIENCE);
    if (token != null) {
      request.header("Authorization", "Bearer " + read(token));
    }
    try (var client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      var answer = client.send(request.build(), BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new DataException(url, "the metrics of a service", "status " + answer.statusCode());
      }
      return answer.body();
    } catch (IOException e) {
      throw new DataException(url, "a service that answers", String.valueOf(e.getMessage()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new DataException(url, "a service that answers", "interrupted");
    }
  }

  private static String read(Path file) {
    Token.read(file); // says what is wrong with it
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new ConfigException(file.toString(), "a file that can be read", e.getMessage());
    }
  }

  private void print(List<Diagnosis> findings) {
    if (findings.isEmpty()) {
      console.out().println("nothing found");
    }
    for (Diagnosis each : findings) {
      console.out().println(each.name());
      console.out().println("  symptom: " + each.symptom());
      console.out().println("  cause:   " + each.cause());
      console.out().println("  cure:    " + each.cure());
    }
  }
}
