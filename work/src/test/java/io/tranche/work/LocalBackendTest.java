package io.tranche.work;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.policy.weights.CheckpointException;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

final class LocalBackendTest {

  /// Says its setup, what is shared and its piece; complains if that is what the piece says.
  private static final class Echo implements JobKind {

    @Override
    public String name() {
      return "echo";
    }

    @Override
    public Job open(byte[] setup) {
      return (shared, piece) ->
          switch (text(piece)) {
            case "config" -> throw new ConfigException("policy.lr", "a number", "x");
            case "data" -> throw new DataException("bars.csv:3", "a price", -1);
            case "checkpoint" -> throw new CheckpointException("a.ckpt", "a file", "nothing");
            case "defect" -> throw new IllegalStateException("broken");
            default -> bytes(text(setup) + text(shared) + text(piece));
          };
    }
  }

  @Test
  void everyPieceIsAnsweredOnce() {
    try (JobBackend place = Backends.open("local", BackendSettings.ofThreads(3));
        JobSession team = place.open(new Echo(), bytes("a"))) {
      var answers = new TreeMap<Integer, String>();

      team.run(
          bytes("b"),
          IntStream.range(0, 100).mapToObj(i -> bytes("" + i)).toList(),
          (piece, answer) -> assertThat(answers.put(piece, text(answer))).isNull());

      assertThat(answers).hasSize(100).containsEntry(0, "ab0").containsEntry(99, "ab99");
      assertThat(place.width()).isEqualTo(3);
    }
  }

  @Test
  void aComplaintArrivesAsItWasMade() {
    complains("config")
        .isInstanceOf(ConfigException.class)
        .hasMessage("policy.lr: expected a number, was x");
    complains("data")
        .isInstanceOf(DataException.class)
        .hasMessage("bars.csv:3: expected a price, was -1");
    complains("checkpoint")
        .isInstanceOf(CheckpointException.class)
        .hasMessage("a.ckpt: expected a file, was nothing");
    complains("defect")
        .isInstanceOf(WorkException.class)
        .hasMessageContaining("IllegalStateException: broken");
  }

  private static AbstractThrowableAssert<?, ?> complains(String piece) {
    try (JobBackend place = Backends.open("local", BackendSettings.ofThreads(2));
        JobSession team = place.open(new Echo(), bytes(""))) {
      return assertThatThrownBy(
          () -> team.run(bytes(""), List.of(bytes("x"), bytes(piece)), (_, _) -> {}));
    }
  }

  @Test
  void anAnswerSurvivesTheWayFromOneProcessToAnother() {
    Job job = new Echo().open(bytes("a"));

    PieceResult good = PieceResult.read(PieceResult.of(job, bytes("b"), bytes("c")).bytes());
    PieceResult bad = PieceResult.read(PieceResult.of(job, bytes("b"), bytes("data")).bytes());

    assertThat(text(good.result())).isEqualTo("abc");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(bad::result)
        .withMessage("bars.csv:3: expected a price, was -1");
    assertThatExceptionOfType(WorkException.class)
        .isThrownBy(() -> PieceResult.read(new byte[] {9}));
  }

  @Test
  void unknownPlacesAndKindsAreNamed() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Backends.open("moon://1", BackendSettings.ofThreads(1)))
        .withMessageContaining("--on: expected local")
        .withMessageEndingWith("was moon://1");
    assertThatExceptionOfType(WorkException.class)
        .isThrownBy(() -> Backends.kind("nonsense"))
        .withMessageContaining("'nonsense'");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
