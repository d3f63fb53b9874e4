package io.tranche.env.vector;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// How child processes are started and how long they are waited for.
///
/// @param command the whole command line of a child
/// @param startDeadline how long a child may take until it has made its environment
/// @param answerDeadline how long it may take for one reset or step; then it is killed
/// @param maxMessageBytes the longest message that is read
/// @param errorLog where the children's standard error, and whatever their code prints, is
///   appended; null to drop it
public record ChildConfig(
    List<String> command,
    Duration startDeadline,
    Duration answerDeadline,
    int maxMessageBytes,
    @Nullable Path errorLog) {

  public ChildConfig {
    command = List.copyOf(command);
    if (!startDeadline.isPositive() || !answerDeadline.isPositive() || maxMessageBytes < 1) {
      throw new IllegalArgumentException(
          "deadlines and sizes must be positive, was %s, %s, %d"
              .formatted(startDeadline, answerDeadline, maxMessageBytes));
    }
  }

  /// Returns the settings for children that run the same code in the same Java as this process.
  ///
  /// @param jvmArguments further arguments for their virtual machines, such as `-Xmx512m`
  public static ChildConfig ofThisJvm(String... jvmArguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Children are many and small.
    command.add("-XX:+UseSerialGC");
    command.addAll(List.of(jvmArguments));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    Module module = ChildMain.class.getModule();
    if (module.isNamed()) {
      command.addAll(List.of("-p", System.getProperty("jdk.module.path")));
      command.addAll(List.of("--add-modules", "ALL-MODULE-PATH", "-m"));
      command.add(module.getName() + "/" + ChildMain.class.getName());
    } else {
      command.add(ChildMain.class.getName());
    }
    return of(command);
  }

  /// Returns the default settings for children that `command` starts.
  public static ChildConfig of(List<String> command) {
    return new ChildConfig(command, Duration.ofSeconds(60), Duration.ofSeconds(60), 64 << 20, null);
  }

  public ChildConfig withDeadlines(Duration start, Duration answer) {
    return new ChildConfig(command, start, answer, maxMessageBytes, errorLog);
  }

  /// Returns the same for children that find further classes in `jars`.
  public ChildConfig withClassPath(List<Path> jars) {
    var longer = new ArrayList<>(command);
    int at = command.indexOf("-cp") + 1;
    if (at == 0) {
      throw new IllegalStateException("command must have a class path, was " + command);
    }
    var path = new StringJoiner(File.pathSeparator).add(command.get(at));
    jars.forEach(jar -> path.add(jar.toAbsolutePath().toString()));
    longer.set(at, path.toString());
    return new ChildConfig(longer, startDeadline, answerDeadline, maxMessageBytes, errorLog);
  }

  public ChildConfig withErrorLog(Path file) {
    return new ChildConfig(command, startDeadline, answerDeadline, maxMessageBytes, file);
  }
}
