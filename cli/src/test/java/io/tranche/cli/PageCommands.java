package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// The commands of a page of `docs`, run in the order of the page, from an empty folder.
final class PageCommands {

  /// A block of commands, and why no test can run it, in a comment that readers do not see.
  private static final Pattern BLOCK =
      Pattern.compile("(<!-- not run: [^>]+ -->\n)?```(?:bash|console)\n(.*?)```", Pattern.DOTALL);

  private static final long MAX_SECONDS = 3_600;

  /// Stops at the first command that fails, says which one it was, and leaves no service behind.
  private static final String FRAME =
      """
      set -eEuo pipefail
      trap 'echo "failed at: $BASH_COMMAND" >&2' ERR
      trap 'kill -9 $(jobs -p) 2>/dev/null || true' EXIT
      """;

  private PageCommands() {}

  /// Returns the blocks of commands of a page that can be run.
  static List<String> blocks(String page) throws IOException {
    return BLOCK
        .matcher(Files.readString(Shared.root().resolve("docs").resolve(page)))
        .results()
        .filter(block -> block.group(1) == null)
        .map(block -> block.group(2))
        .toList();
  }

  /// Runs them in `folder/empty` and returns what they print.
  static String run(String page, Path folder) throws IOException, InterruptedException {
    return run(
        String.join("\n", blocks(page)), Files.createDirectory(folder.resolve("empty")), folder);
  }

  /// Runs a script in `start` and returns what it prints.
  ///
  /// @param folder for programs and the log
  static String run(String commands, Path start, Path folder)
      throws IOException, InterruptedException {
    Path log = folder.resolve("log.txt");
    var builder =
        new ProcessBuilder("bash", "-c", FRAME + commands + "\n")
            .directory(start.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("TRANCHE", Shared.root().toString());
    builder.environment().put("PATH", launcher(folder) + ":" + System.getenv("PATH"));
    builder.environment().put("TRANCHE_CLASSPATH", System.getProperty("java.class.path"));
    builder.environment().put("PORT", "0");
    // An answer that refuses is a command that fails, also where the page does not say so.
    Files.writeString(folder.resolve(".curlrc"), "fail-with-body\n");
    builder.environment().put("CURL_HOME", folder.toString());

    Process process = builder.start();
    boolean isOver = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();

    String said = Files.readString(log);
    assertThat(isOver).as(said).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  /// Returns a folder whose `tranche` runs the classes under test, as the launcher runs those that
  /// it builds, and whose `java` is the one that runs this.
  private static Path launcher(Path folder) throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    for (List<String> each :
        List.of(
            List.of("java", "exec '%s' \"$@\"".formatted(java)),
            List.of(
                "tranche",
                "exec '%s' --add-modules=jdk.incubator.vector -cp \"$TRANCHE_CLASSPATH\" %s \"$@\""
                    .formatted(java, Main.class.getName())))) {
      Path file = bin.resolve(each.getFirst());
      Files.writeString(file, "#!/bin/sh\n" + each.getLast() + "\n");
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    return bin;
  }
}
