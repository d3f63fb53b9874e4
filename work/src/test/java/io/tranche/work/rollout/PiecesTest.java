package io.tranche.work.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.config.ConfigException;
import io.tranche.env.space.Action;
import io.tranche.execution.OrderCodec;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.testkit.Cases;
import io.tranche.trainer.rollout.Trajectory;
import io.tranche.work.Job;
import io.tranche.work.PieceCodec;
import io.tranche.work.WorkException;
import io.tranche.work.rollout.Overheard.Said;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What crosses between processes: that it is enough, and that nothing else is believed.
class PiecesTest {

  @TempDir Path folder;

  private Overheard overheard(String... settings) {
    var place = new Overheard();
    try (var experiment =
        SmallRuns.open(
            SmallRuns.config(settings).with("trainer.max_iterations=1"), folder, place)) {
      experiment.train(null);
    }
    return place;
  }

  private static List<Order> orders(Said said) {
    return PieceCodec.read(
        "a piece",
        said.piece().get(),
        in -> {
          PieceCodec.readNumber(in);
          var orders = new ArrayList<Order>();
          for (long left = PieceCodec.readNumber(in); left > 0; left--) {
            orders.add(OrderCodec.read(in));
          }
          return orders;
        });
  }

  /// Which rows are beside a row, and which were before it, changes no bit of what it gives.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "runtime.seed=3",
        "network={class: DualAttention, kwargs: {hidden: 8, output: 4}}",
        "network={class: CausalTransformer, kwargs: {hidden: 8, output: 4, heads: 2}}",
        "network={class: Layers, kwargs: {layers: [dense: 6, dropout: 0.1, gru: 8]}}"
      })
  void anActionDoesNotDependOnItsCompany(String setting) throws IOException {
    Said first = overheard(setting).about("rollouts").getFirst();
    List<Order> orders = orders(first);
    assertThat(orders).hasSizeGreaterThan(12);

    try (Job job = first.kind().open(first.setup().get())) {
      for (int size : List.of(1, 2, 5, orders.size() - 1)) {
        var answers = new ByteArrayOutputStream();
        for (int from = 0; from < orders.size(); from += size) {
          List<Order> part = orders.subList(from, Math.min(orders.size(), from + size));
          byte[] piece = RolloutKind.piece(from, part);
          answers.write(job.work(first.shared().get(), piece));
        }
        assertThat(answers.toByteArray()).isEqualTo(first.answer().get());
      }
    }
  }

  @Test
  void aStepOfATrajectoryTakesAByte() {
    Said said = overheard().about("rollouts").getFirst();
    int episodes = orders(said).size();
    int steps =
        RolloutKind.trajectories(said.answer().get(), episodes).stream()
            .mapToInt(trajectory -> trajectory.actions().size())
            .sum();

    assertThat(said.answer().length()).isEqualTo(steps + 9 * episodes);
    assertThat(said.piece().length()).isLessThan(64 * episodes);
  }

  @Test
  void trajectoriesOfAnyKindComeBackAsTheyWere() {
    var long300 = new ArrayList<Action>();
    for (int i = 0; i < 300; i++) {
      long300.add(new Action.Discrete(i * i));
    }
    List<Trajectory> all =
        List.of(
            new Trajectory(List.of(), 0, "could not begin"),
            new Trajectory(List.of(new Action.Continuous(-0.5)), -1, null),
            new Trajectory(long300, Long.MIN_VALUE, "x".repeat(1_000)));

    byte[] bytes =
        PieceCodec.write(
            out -> {
              for (Trajectory each : all) {
                Trajectories.write(each, out);
              }
            });

    assertThat(RolloutKind.trajectories(bytes, all.size())).isEqualTo(all);
    assertThatExceptionOfType(WorkException.class)
        .isThrownBy(() -> RolloutKind.trajectories(bytes, 2))
        .withMessageContaining("bytes too many");
    assertThatExceptionOfType(WorkException.class)
        .isThrownBy(() -> RolloutKind.trajectories(Arrays.copyOf(bytes, bytes.length - 1), 3))
        .withMessageContaining("cut short");
  }

  @Test
  void damagedBytesAreRefusedAndNothingElse() {
    Said rollout = overheard().about("rollouts").getFirst();
    int episodes = orders(rollout).size();

    try (Job player = rollout.kind().open(rollout.setup().get())) {
      Cases.forAll(
          Cases.count(30, 1_000),
          random -> {
            byte[] answer = damaged(rollout.answer().get(), random);
            byte[] orders = damaged(rollout.piece().get(), random);
            byte[] weights = Arrays.copyOf(rollout.shared().get(), random.nextInt(200));

            attempt(() -> RolloutKind.trajectories(answer, episodes));
            attempt(() -> player.work(rollout.shared().get(), orders));
            attempt(() -> player.work(weights, rollout.piece().get()));
          });
    }
  }

  private static byte[] damaged(byte[] bytes, java.util.SplittableRandom random) {
    byte[] copy =
        random.nextBoolean() ? bytes.clone() : Arrays.copyOf(bytes, random.nextInt(bytes.length));
    for (int i = 0; i < 3 && copy.length > 0; i++) {
      copy[random.nextInt(Math.min(copy.length, 200))] = (byte) random.nextInt();
    }
    return copy;
  }

  private static void attempt(Runnable reading) {
    @Nullable RuntimeException thrown = null;
    try {
      reading.run();
    } catch (RuntimeException e) {
      thrown = e;
    }
    if (thrown != null) {
      assertThat(thrown)
          .isInstanceOfAny(
              WorkException.class,
              ConfigException.class,
              DataException.class,
              CheckpointException.class,
              IllegalArgumentException.class);
    }
  }
}
