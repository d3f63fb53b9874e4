package io.tranche.work.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.env.Numbers;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value.ElementType;
import io.tranche.market.DataException;
import io.tranche.policy.network.BuildContext;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a policy makes of the answers of another program, without a Python program.
final class PolicyLineTest {

  private static final BuildContext CONTEXT =
      BuildContext.of(
          new Space.Box(ElementType.FLOAT64, List.of(2), -9, 9), new Space.Discrete(5), 0);

  @TempDir private Path folder;

  /// Asks a program whose answers are these bytes.
  private Action[] asked(byte[] answers) throws IOException, InterruptedException {
    Path socket = folder.resolve("s" + System.nanoTime());
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      Thread program = Thread.ofVirtual().start(() -> answer(server, answers));
      try {
        var actions = new Action[2];
        PolicyLine.<Numbers>open(socket, CONTEXT, true)
            .ask(List.of(numbers(1, 2), numbers(3, 4)), actions, 0);
        return actions;
      } finally {
        program.join();
      }
    }
  }

  private static Numbers numbers(double... values) {
    return new Numbers(values);
  }

  /// The first answer follows the description, the others the batch, as far as one comes.
  private static void answer(ServerSocketChannel server, byte[] answers) {
    try (SocketChannel line = server.accept()) {
      var in = new DataInputStream(Channels.newInputStream(line));
      in.readNBytes(in.readInt());
      line.write(ByteBuffer.wrap(answers));
      if (answers[0] == 0) {
        in.readInt();
      }
    } catch (IOException _) {
      // the policy has had enough
    }
  }

  @Test
  void actionsAreReadWhenTheProgramIsDone() throws IOException, InterruptedException {
    assertThat(asked(new byte[] {0, 0}))
        .containsExactly(new Action.Discrete(0), new Action.Discrete(0));
  }

  @Test
  void theProgramsOwnMessageIsShown() {
    assertThatThrownBy(() -> asked(new byte[] {0, 1, 0, 0, 0, 2, 'n', 'o'}))
        .isInstanceOf(DataException.class)
        .hasMessage("policy: expected an action for each observation, was no");
  }

  @Test
  void aProgramThatEndsIsNamed() {
    assertThatThrownBy(() -> asked(new byte[] {0}))
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith("policy: expected a program that answers, was an answer");
  }

  @Test
  void whateverAProgramAnswersEndsInANamedError() {
    var random = new Random(1);
    for (int i = 0; i < 200; i++) {
      byte[] answers = new byte[1 + random.nextInt(9)];
      random.nextBytes(answers);
      answers[0] = (byte) (1 + random.nextInt(255));
      assertThatThrownBy(() -> asked(answers)).isInstanceOf(DataException.class);
    }
  }

  @Test
  void withoutAProgramTheMessageSaysWhoseFunctionItIs() {
    var policy = new CalledPolicy<Numbers>(CONTEXT, true);

    assertThatThrownBy(
            () -> policy.act(List.of(numbers(1, 2)), new long[1], Policy.Mode.EVALUATE))
        .hasMessage(
            "policy: expected the Python program whose function it is: tranche.verb(...,"
                + " policy=function), was no program");
  }

  @Test
  void nobodyListening() {
    assertThatThrownBy(() -> PolicyLine.open(folder.resolve("nobody"), CONTEXT, true))
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith("policy: expected a program that answers, was at ");
  }
}
