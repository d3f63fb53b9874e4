package io.tranche.work.gym;

import io.tranche.env.Observation;
import io.tranche.env.space.Action;
import io.tranche.env.space.SpaceException;
import io.tranche.market.DataException;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.NetworkInput;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/// Asks another program for actions: the same shared memory as that of environments, the other way
/// round.
///
/// It sends the description of the memory, which is a file beside the socket, as a length of four
/// bytes and JSON; then, for each batch, the number of its rows in four bytes. Every message gets
/// one answer of [EnvironmentServer]: done, or failed with a text. For one thread; open until the
/// process ends.
final class PolicyLine<O extends Observation> {

  /// Observations that are shown at once.
  static final int ROWS = 256;

  private static final int LONGEST_TEXT = 1 << 20;
  private static final JsonMapper JSON = new JsonMapper();

  private final BuildContext context;
  private final SharedArea area;
  private final ObservationWriter<O> writer;
  private final DataInputStream in;
  private final DataOutputStream out;

  private PolicyLine(BuildContext context, boolean flat, Path file, SocketChannel channel) {
    this.context = context;
    NetworkInput input = NetworkInput.of(context);
    area = SharedArea.map(file, ROWS, ObservationWriter.space(flat, context), context.actions(), false);
    writer = ObservationWriter.of(flat, input, area.observations(), area.memory(), ROWS);
    in = new DataInputStream(Channels.newInputStream(channel));
    out = new DataOutputStream(Channels.newOutputStream(channel));
  }

  /// @throws DataException if nobody listens there, or the program refuses
  static <O extends Observation> PolicyLine<O> open(Path socket, BuildContext context, boolean flat) {
    try {
      var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        channel.connect(UnixDomainSocketAddress.of(socket));
        Path file = Files.createTempFile(socket.toAbsolutePath().getParent(), "policy", "");
        var line = new PolicyLine<O>(context, flat, file, channel);
        line.introduce(file);
        return line;
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw unheard("at " + socket, e);
    }
  }

  private void introduce(Path file) throws IOException {
    var described = area.describe();
    described.put("protocol", EnvironmentServer.PROTOCOL);
    described.put("file", file.toString());
    byte[] text = JSON.writeValueAsString(described).getBytes(StandardCharsets.UTF_8);
    out.writeInt(text.length);
    out.write(text);
    answer();
  }

  /// Puts the action of each observation into `actions`, from `at` on.
  void ask(List<O> observations, Action[] actions, int at) {
    for (int row = 0; row < observations.size(); row++) {
      writer.write(row, observations.get(row));
    }
    try {
      out.writeInt(observations.size());
      answer();
    } catch (IOException e) {
      throw unheard("an answer", e);
    }
    for (int row = 0; row < observations.size(); row++) {
      actions[at + row] = checked(area.action(row));
    }
  }

  private Action checked(Action action) {
    try {
      context.actions().validate(action);
      return action;
    } catch (SpaceException e) {
      throw new DataException("policy", "actions of its space", e.getMessage());
    }
  }

  private void answer() throws IOException {
    int kind = in.read();
    if (kind < 0) {
      throw new EOFException("the program ended");
    }
    if (kind == EnvironmentServer.DONE) {
      return;
    }
    int length = kind == EnvironmentServer.FAILED ? in.readInt() : -1;
    if (length < 0 || length > LONGEST_TEXT) {
      throw new DataException("policy", "an answer of the package tranche", "byte " + kind);
    }
    throw new DataException(
        "policy",
        "an action for each observation",
        new String(in.readNBytes(length), StandardCharsets.UTF_8));
  }

  private static DataException unheard(String what, IOException e) {
    return new DataException("policy", "a program that answers", what + ": " + e.getMessage());
  }
}
