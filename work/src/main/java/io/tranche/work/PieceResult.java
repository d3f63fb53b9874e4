package io.tranche.work;

import io.tranche.config.ConfigException;
import io.tranche.env.space.SpaceException;
import io.tranche.env.vector.EnvironmentException;
import io.tranche.market.DataException;
import io.tranche.policy.weights.CheckpointException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The outcome of a piece: its content, or an error that must reach the user in another process
/// unchanged.
public final class PieceResult {

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

  private PieceResult(Outcome outcome, byte[] content) {
    this.outcome = outcome;
    this.content = content;
  }

  private PieceResult(Outcome outcome, String message) {
    this(outcome, message.getBytes(StandardCharsets.UTF_8));
  }

  /// Runs a piece; an exception becomes the outcome.
  public static PieceResult of(Job job, byte[] shared, byte[] piece) {
    try {
      return new PieceResult(Outcome.RESULT, job.work(shared, piece));
    } catch (RuntimeException e) {
      return of(e);
    }
  }

  /// Returns the outcome of a piece that failed.
  public static PieceResult of(RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    return switch (e) {
      case ConfigException _ -> new PieceResult(Outcome.CONFIG, message);
      case DataException _, SpaceException _, EnvironmentException _ ->
          new PieceResult(Outcome.DATA, message);
      case CheckpointException _ -> new PieceResult(Outcome.CHECKPOINT, message);
      default -> {
        var trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        yield new PieceResult(Outcome.DEFECT, trace.toString());
      }
    };
  }

  /// Reads what [#bytes] returned.
  public static PieceResult read(byte[] bytes) {
    if (bytes.length == 0 || bytes[0] < 0 || bytes[0] >= OUTCOMES.length) {
      throw new WorkException("a result must begin with its outcome");
    }
    return new PieceResult(OUTCOMES[bytes[0]], Arrays.copyOfRange(bytes, 1, bytes.length));
  }

  public boolean isFailure() {
    return outcome != Outcome.RESULT;
  }

  /// Returns the same outcome; the message of a failure begins with `place`.
  public PieceResult madeAt(String place) {
    return isFailure()
        ? new PieceResult(outcome, place + ": " + new String(content, StandardCharsets.UTF_8))
        : this;
  }

  /// Returns the bytes that [#read] takes.
  public byte[] bytes() {
    byte[] bytes = new byte[1 + content.length];
    bytes[0] = (byte) Arrays.asList(OUTCOMES).indexOf(outcome);
    System.arraycopy(content, 0, bytes, 1, content.length);
    return bytes;
  }

  /// Returns the content.
  ///
  /// @throws RuntimeException the error of a piece that failed
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
