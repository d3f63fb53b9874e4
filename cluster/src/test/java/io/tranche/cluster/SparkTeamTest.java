package io.tranche.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.work.BackendSettings;
import io.tranche.work.Backends;
import io.tranche.work.JobBackend;
import io.tranche.work.JobSession;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Rounds on Spark with two threads of this process.
class SparkTeamTest {

  private static JobBackend place = Backends.open("local", BackendSettings.ofThreads(1));

  @BeforeAll
  static void startSpark() {
    place.close();
    place = Backends.open("spark-local[2]", BackendSettings.ofThreads(1));
  }

  @AfterAll
  static void stopSpark() {
    place.close();
  }

  @Test
  void everyPieceIsAnsweredOnceInEveryRound() {
    List<byte[]> pieces = IntStream.range(0, 100).mapToObj(i -> bytes("p" + i)).toList();
    var answers = new TreeMap<Integer, String>();
    var taken = new ArrayList<Integer>();

    try (JobSession team = place.open(new EchoKind(), bytes("setup "))) {
      for (String round : List.of("one ", "two ")) {
        team.run(
            bytes(round),
            pieces,
            (piece, answer) -> {
              taken.add(piece);
              answers.merge(piece, text(answer), String::concat);
            });
      }
    }

    assertThat(taken).hasSize(200);
    assertThat(answers)
        .hasSize(100)
        .allSatisfy(
            (piece, answer) ->
                assertThat(answer)
                    .isEqualTo(
                        "setup one p%d".formatted(piece) + "setup two p%d".formatted(piece)));
  }

  @Test
  void aComplaintEndsTheRoundAndSaysWhoMadeIt() {
    try (JobSession team = place.open(new EchoKind(), bytes(""))) {
      assertThatThrownBy(
              () -> team.run(bytes(""), List.of(bytes("good"), bytes("bad")), (_, _) -> {}))
          .isInstanceOf(DataException.class)
          .hasMessageStartingWith("executor driver on ")
          .hasMessageEndingWith("orders.csv: row 7: expected an instrument, was none");
    }
  }

  @Test
  void aJobThatCannotBeOpenedIsAComplaintToo() {
    try (JobSession team = place.open(new EchoKind(), bytes("missing"))) {
      assertThatThrownBy(() -> team.run(bytes(""), List.of(bytes("good")), (_, _) -> {}))
          .isInstanceOf(DataException.class)
          .hasMessageContaining("/data/store: expected a store, was nothing");
    }
  }

  @Test
  void anAnswerThatCannotBeTakenEndsTheRound() {
    try (JobSession team = place.open(new EchoKind(), bytes(""))) {
      assertThatThrownBy(
              () ->
                  team.run(
                      bytes(""),
                      List.of(bytes("a"), bytes("b")),
                      (_, _) -> {
                        throw new IllegalStateException("full");
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("full");
    }
  }

  @Test
  void optionsOfAnythingElseAreRefused() {
    var settings = new BackendSettings(1, List.of(), Map.of("executor.memory", "1g"), _ -> {});

    assertThatThrownBy(() -> Backends.open("spark-local[1]", settings))
        .isInstanceOf(ConfigException.class)
        .hasMessage("--spark-conf: expected spark.NAME=VALUE, was executor.memory=1g");
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
