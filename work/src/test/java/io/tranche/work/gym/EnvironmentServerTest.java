package io.tranche.work.gym;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigFiles;
import io.tranche.market.DataException;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunFolder;
import io.tranche.run.RunParts;
import io.tranche.testkit.Cases;
import io.tranche.work.gym.HostSettings.Autoreset;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What another program sees of the environments, without another program.
final class EnvironmentServerTest {

  private static final int COUNT = 3;

  @TempDir private Path folder;
  private RunParts<?> parts;
  private Path file;

  @BeforeEach
  void open() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("run.yml"),
            """
            tranche: 1
            data:
              market: {instruments: 2, days: 40}
            """);
    ExecutionRun run = ExecutionRun.read(ConfigFiles.load(config), _ -> {});
    var data = PreparedData.of(run, new RunFolder(folder.resolve("run")), (_, _, _) -> {});
    parts = RunParts.of(run, data);
    file = Files.createFile(folder.resolve("shared memory"));
  }

  @AfterEach
  void close() {
    parts.close();
  }

  @Test
  void stepsAndNamesTheMetricsOnce() throws IOException {
    List<Answer> answers = served(HostSettings.of(COUNT), "R", "SSSSSSSSS", "C");

    assertThat(answers.getFirst().text()).contains("\"protocol\":1", "\"environments\":3");
    assertThat(answers).filteredOn(answer -> answer.kind() == EnvironmentServer.FAILED).isEmpty();
    assertThat(answers.stream().skip(1).filter(answer -> answer.kind() == EnvironmentServer.TEXT))
        .singleElement()
        .satisfies(names -> assertThat(names.text()).contains("\"pa\"", "\"ffr\""));
    assertThat(answers).hasSize(12);
  }

  @Test
  void anUnknownCommandIsNamedAndEndsTheService() throws IOException {
    assertThat(served(HostSettings.of(COUNT), "X", "S").getLast().text())
        .isEqualTo("command: expected one of R, S and C, was byte 88");
  }

  @Test
  void aStepBeforeTheFirstEpisodeIsRefused() throws IOException {
    assertThat(served(HostSettings.of(COUNT), "S").getLast().text())
        .isEqualTo("environments must be reset before their first step");
  }

  @Test
  void anActionOutsideItsSpaceIsRefusedAndChangesNothing() throws IOException {
    try (var host = EnvironmentHost.open(parts, HostSettings.of(COUNT), file)) {
      host.reset(7L);
      byte[] before = Files.readAllBytes(file);
      put(1, 99);
      assertThatThrownBy(host::step).hasMessageContaining("whole number in [0, 4], was 99");
      put(1, 0);
      assertThat(Files.readAllBytes(file)).isEqualTo(before);
      host.step();
      assertThat(Files.readAllBytes(file)).isNotEqualTo(before);
    }
  }

  @Test
  void withoutAutoresetAFinishedEnvironmentMustBeReset() throws IOException {
    HostSettings settings = HostSettings.of(1).with(Autoreset.DISABLED);

    List<Answer> answers = served(settings, "R", "S".repeat(9), "C");

    assertThat(answers)
        .anySatisfy(
            answer ->
                assertThat(answer.text())
                    .isEqualTo(
                        "environment 0 must be reset before its next step, was at the end of its"
                            + " episode"));
  }

  @Test
  void theSameSeedGivesTheSameBytesWithAnyNumberOfThreads() throws IOException {
    byte[] one = afterSteps(HostSettings.of(COUNT).withThreads(1), 5);
    byte[] many = afterSteps(HostSettings.of(COUNT).withThreads(4), 5);
    byte[] other = afterSteps(HostSettings.of(COUNT), 6);

    assertThat(many).isEqualTo(one);
    assertThat(other).isNotEqualTo(one);
  }

  private byte[] afterSteps(HostSettings settings, long seed) throws IOException {
    Path own = Files.createTempFile(folder, "shared", "");
    try (var host = EnvironmentHost.open(parts, settings, own)) {
      host.reset(seed);
      for (int i = 0; i < 20; i++) {
        host.step();
      }
      return Files.readAllBytes(own);
    }
  }

  @Test
  void bytesThatAreNoCommandsEndInAnAnswer() {
    Cases.forAll(
        Cases.count(200, 10_000),
        random -> {
          byte[] bytes = new byte[random.nextInt(1, 40)];
          random.nextBytes(bytes);
          try {
            for (Answer answer : answers(HostSettings.of(1), bytes)) {
              assertThat(answer.kind()).isBetween(0, 2);
              assertThat(answer.kind() == EnvironmentServer.FAILED && answer.text().isBlank())
                  .isFalse();
            }
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void aFileThatCannotBeMappedIsNamed() {
    Path missing = folder.resolve("none");
    assertThatThrownBy(() -> EnvironmentHost.open(parts, HostSettings.of(1), missing))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("none");
  }

  /// An answer of the server; the text is empty if it has none.
  private record Answer(int kind, String text) {}

  private List<Answer> served(HostSettings settings, String... commands) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    for (String each : commands) {
      out.writeBytes(each);
      if (each.equals("R")) {
        out.writeByte(1);
        out.writeLong(42);
      }
    }
    return answers(settings, bytes.toByteArray());
  }

  private List<Answer> answers(HostSettings settings, byte[] commands) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var host = EnvironmentHost.open(parts, settings, file)) {
      new EnvironmentServer(host, new ByteArrayInputStream(commands), out).serve();
    }
    var answers = new ArrayList<Answer>();
    var in = new DataInputStream(new ByteArrayInputStream(out.toByteArray()));
    while (in.available() > 0) {
      int kind = in.readUnsignedByte();
      String text =
          kind == EnvironmentServer.DONE ? "" : new String(in.readNBytes(in.readInt()), UTF_8);
      answers.add(new Answer(kind, text));
    }
    return answers;
  }

  /// Writes an action as the other program does: actions come first in the file.
  private void put(int environment, long action) throws IOException {
    try (var memory = Files.newByteChannel(file, java.nio.file.StandardOpenOption.WRITE)) {
      memory.position((long) environment * Long.BYTES);
      memory.write(
          ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(action).flip());
    }
  }
}
