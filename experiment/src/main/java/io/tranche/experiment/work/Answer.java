package io.tranche.experiment.work;

import io.tranche.config.ConfigException;
import io.tranche.env.space.SpaceException;
import io.tranche.env.vector.EnvironmentException;
import io.tranche.market.DataException;
import io.tranche.policy.weights.CheckpointException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// What became of a piece: a result, or a complaint that must reach a user in another process as it
/// was made.
public final class Answer {

  private enum Outcome {
    RESULT,
    CONFIG,
    DATA,
    CHECKPOINT,
    DEFECT
  }

  private static final Outcome[] OUTCOMES = Outcome.values();

  private final Outcome outcome;
  private final byte[] content;

  private Answer(Outcome outcome, byte[] content) {
    this.outcome = outcome;
    this.content = content;
  }

  private Answer(Outcome outcome, String message) {
    this(outcome, message.getBytes(StandardCharsets.UTF_8));
  }

  /// Does a piece; whatever goes wrong is the answer.
  public static Answer of(Job job, byte[] shared, byte[] piece) {
    try {
      return new Answer(Outcome.RESULT, job.work(shared, piece));
    } catch (RuntimeException e) {
      return of(e);
    }
  }

  /// Returns the answer that something went wrong.
  public static Answer of(RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    return switch (e) {
      case ConfigException _ -> new Answer(Outcome.CONFIG, message);
      case DataException _, SpaceException _, EnvironmentException _ ->
          new Answer(Outcome.DATA, message);
      case CheckpointException _ -> new Answer(Outcome.CHECKPOINT, message);
      default -> {
        var trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        yield new Answer(Outcome.DEFECT, trace.toString());
      }
    };
  }

  /// Reads what [#bytes] returned.
  public static Answer read(byte[] bytes) {
    if (bytes.length == 0 || bytes[0] < 0 || bytes[0] >= OUTCOMES.length) {
      throw new WorkException("an answer must begin with its outcome");
    }
    return new Answer(OUTCOMES[bytes[0]], Arrays.copyOfRange(bytes, 1, bytes.length));
  }

  /// Whether something went wrong.
  public boolean isComplaint() {
    return outcome != Outcome.RESULT;
  }

  /// Returns the same, where a complaint also says where it was made.
  public Answer madeAt(String place) {
    return isComplaint()
        ? new Answer(outcome, place + ": " + new String(content, StandardCharsets.UTF_8))
        : this;
  }

  /// Returns the answer as it goes from one process to another.
  public byte[] bytes() {
    byte[] bytes = new byte[1 + content.length];
    bytes[0] = (byte) Arrays.asList(OUTCOMES).indexOf(outcome);
    System.arraycopy(content, 0, bytes, 1, content.length);
    return bytes;
  }

  /// Returns the result.
  ///
  /// @throws RuntimeException the complaint, if there is none
  public byte[] result() {
    String message = outcome == Outcome.RESULT ? "" : new String(content, StandardCharsets.UTF_8);
    return switch (outcome) {
      case RESULT -> content;
      case CONFIG -> throw ConfigException.madeElsewhere(message);
      case DATA -> throw DataException.madeElsewhere(message);
      case CHECKPOINT -> throw CheckpointException.madeElsewhere(message);
      case DEFECT -> throw new WorkException("a piece of work failed:\n" + message);
    };
  }
}
