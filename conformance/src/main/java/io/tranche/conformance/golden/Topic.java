package io.tranche.conformance.golden;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One golden file and how Tranche answers its cases.
///
/// A topic only answers; the runner compares, applies deviations and prints.
///
/// @param name the stem of the golden file, such as `qlib_data`
/// @param tolerance for numbers, relative; 0 means equal as the type of the golden number
/// @param slack how far a number may be off if that is more than `tolerance` allows
public record Topic(String name, double tolerance, Slack slack, Answers answers) {

  /// An absolute tolerance. It is for differences and sums: a result close to zero keeps the error
  /// of its terms.
  @FunctionalInterface
  public interface Slack {

    Slack NONE = (_, _) -> 0;

    /// @param path such as `$.today[3][2]`
    /// @param largest the largest magnitude of the array that the number is in, such as a tensor
    double at(String path, double largest);
  }

  /// Returns what Tranche gives for a case, in the shape of its `expected` node.
  ///
  /// Leaves that the golden file has and the answer lacks are mismatches, and the other way round.
  /// Where Qlib raises an error, the project's named exception is the answer: it is thrown, inside
  /// a [Stopped] if the case has recorded more than the error.
  @FunctionalInterface
  public interface Answers {

    /// @param directory the golden directory, for the files that cases refer to
    /// @param file the whole golden file
    /// @param testCase one element of its `cases`
    JsonNode answer(Path directory, JsonNode file, JsonNode testCase);
  }

  /// A refusal in the middle of a case, and what the case gave besides it.
  @SuppressWarnings("serial") // never serialised
  public static final class Stopped extends RuntimeException {
    private final String kind;
    private final ObjectNode beside;

    /// @param beside the answer without its error
    public Stopped(RuntimeException cause, ObjectNode beside) {
      super(cause.getMessage(), cause);
      this.kind = cause.getClass().getSimpleName();
      this.beside = beside;
    }

    /// Makes one of a refusal that is reported, not thrown.
    ///
    /// @param kind the type that reports it
    public Stopped(Class<?> kind, String message, ObjectNode beside) {
      super(message);
      this.kind = kind.getSimpleName();
      this.beside = beside;
    }

    public String kind() {
      return kind;
    }

    public ObjectNode beside() {
      return beside;
    }
  }

  /// The work of a case in a folder of its own.
  @FunctionalInterface
  public interface Work<T> {
    T in(Path folder) throws IOException;
  }

  /// Works in a new folder, which is deleted afterwards.
  public static <T> T inFolder(Work<T> work) {
    try {
      Path folder = Files.createTempDirectory("tranche-conformance-");
      try {
        return work.in(folder);
      } finally {
        try (Stream<Path> all = Files.walk(folder)) {
          for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(each);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Makes a topic without slack.
  public Topic(String name, double tolerance, Answers answers) {
    this(name, tolerance, Slack.NONE, answers);
  }
}
