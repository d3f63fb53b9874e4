package io.tranche.work.gym;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// Obeys another program: reads commands of a few bytes from one stream and answers on another. The
/// numbers themselves are in shared memory.
///
/// It first sends the description of the shared memory as an answer [#TEXT]. Every command gets one
/// answer: [#DONE], [#FAILED] with a message, or [#TEXT] with the names of the metrics, when an
/// episode logged one for the first time. Numbers are big-endian; texts are a length of four bytes
/// and UTF-8. The end of the input ends it, so the death of the other program does.
public final class EnvironmentServer {

  /// Raised when a command, an answer or the description changes its meaning.
  public static final int PROTOCOL = 1;

  static final int RESET = 'R';
  static final int STEP = 'S';
  static final int CLOSE = 'C';

  static final int DONE = 0;
  static final int FAILED = 1;
  static final int TEXT = 2;

  private static final int SEEDED = 1;
  private static final int MASKED = 2;

  private static final JsonMapper JSON = new JsonMapper();

  private final EnvironmentHost<?, ?> host;
  private final DataInputStream in;
  private final DataOutputStream out;
  private List<String> metrics = List.of();

  public EnvironmentServer(EnvironmentHost<?, ?> host, InputStream in, OutputStream out) {
    this.host = host;
    this.in = new DataInputStream(in);
    this.out = new DataOutputStream(new BufferedOutputStream(out));
  }

  /// Serves until the other program closes, or ends.
  ///
  /// @throws IOException if the answers cannot be written
  public void serve() throws IOException {
    var description = host.describe();
    description.put("protocol", PROTOCOL);
    text(TEXT, JSON.writeValueAsString(description));
    out.flush();
    while (obeyed()) {
      out.flush();
    }
    out.flush();
  }

  /// Returns whether to go on.
  private boolean obeyed() throws IOException {
    int command = in.read();
    if (command < 0) {
      return false;
    }
    try {
      switch (command) {
        case RESET -> {
          if (!reset()) {
            return false;
          }
        }
        case STEP -> host.step();
        case CLOSE -> {
          out.writeByte(DONE);
          return false;
        }
        default -> {
          // What follows cannot be understood either.
          text(FAILED, "command: expected one of R, S and C, was byte %d".formatted(command));
          return false;
        }
      }
      answer();
    } catch (RuntimeException e) {
      text(FAILED, message(e));
    }
    return true;
  }

  /// Returns false if the input ends within the command.
  private boolean reset() throws IOException {
    int flags;
    long seed;
    try {
      flags = in.readUnsignedByte();
      seed = in.readLong();
    } catch (EOFException _) {
      return false;
    }
    if ((flags & MASKED) != 0) {
      host.resetChosen();
    } else {
      host.reset((flags & SEEDED) != 0 ? (Long) seed : null);
    }
    return true;
  }

  private void answer() throws IOException {
    List<String> names = host.metrics();
    if (names.size() == metrics.size()) {
      out.writeByte(DONE);
    } else {
      metrics = names;
      text(TEXT, JSON.writeValueAsString(names));
    }
  }

  private void text(int kind, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeByte(kind);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String message(RuntimeException e) {
    @Nullable String message = e.getMessage();
    return message == null ? e.toString() : message;
  }
}
