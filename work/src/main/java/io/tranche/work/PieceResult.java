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

/// What became of a piece: a result, or a complaint that must reach a user in another process as it
/// was made.
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

  /// Does a piece; whatever goes wrong is the answer.
  public static PieceResult of(Job job, byte[] shared, byte[] piece) {
    try {
      return new PieceResult(Outcome.RESULT, job.work(shared, piece));
    } catch (RuntimeException e) {
      return of(e);
    }
  }

  /// Returns the answer that something went wrong.
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
      throw new WorkException("an answer must begin with its outcome");
    }
    return new PieceResult(OUTCOMES[bytes[0]], Arrays.copyOfRange(bytes, 1, bytes.length));
  }

  /// Whether something went wrong.
  public boolean isComplaint() {
    return outcome != Outcome.RESULT;
  }

  /// Returns the same, where a complaint also says where it was made.
  public PieceResult madeAt(String place) {
    return isComplaint()
        ? new PieceResult(outcome, place + ": " + new String(content, StandardCharsets.UTF_8))
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
