package io.tranche.cli;

import static io.tranche.cli.MarketVerbs.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigFiles;
import io.tranche.env.EnvWrapper;
import io.tranche.env.LogCollector;
import io.tranche.env.Observation;
import io.tranche.env.RandomTree;
import io.tranche.env.Step;
import io.tranche.env.queue.DataQueue;
import io.tranche.env.queue.DataQueueConfig;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.market.Order;
import io.tranche.market.order.OrderSplit;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunFolder;
import io.tranche.run.RunParts;
import io.tranche.testkit.Shared;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Episodes of the package `tranche` of clients/python are those of Java.
final class PythonEpisodesTest {

  private static final int EPISODES = 200;
  private static final long SEED = 5;

  @TempDir private static Path folder;
  private static PythonPackage python;

  /// What Python does in each episode: the same actions, hashed observations and rewards.
  private static final String PLAY =
      """
      import hashlib, sys
      import numpy as np
      import tranche
      from gymnasium.vector import AutoresetMode

      config, out, count, mode, episodes = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], int(sys.argv[5])
      env = tranche.make_vec(config, num_envs=count, out=out, autoreset_mode=AutoresetMode[mode],
                             settings={"env.parallel_mode": sys.argv[6]}, threads=int(sys.argv[7]))

      def put(digest, values, index):
          for name in sorted(values):
              digest.update(values[name][index].tobytes())

      observations, _ = env.reset(seed=5)
      running = list(range(count))
      begun = count
      steps = [0] * count
      digests = {i: hashlib.sha256() for i in range(count)}
      results = {}
      for i in range(count):
          put(digests[i], observations, i)
      over = np.zeros(count, dtype=bool)
      while len(results) < episodes or min(set(range(episodes)) - set(results), default=episodes) < episodes:
          actions = np.array([(running[i] + 3 * steps[i]) % 5 for i in range(count)])
          observations, rewards, ended, truncated, infos = env.step(actions)
          assert not truncated.any()
          for i in range(count):
              if over[i]:  # this step began the next episode
                  running[i], steps[i] = begun, 0
                  begun += 1
                  digests[running[i]] = hashlib.sha256()
                  put(digests[running[i]], observations, i)
                  assert rewards[i] == 0 and not ended[i]
                  continue
              steps[i] += 1
              digest = digests[running[i]]
              if mode == "SAME_STEP" and ended[i]:
                  put(digest, {name: [value] for name, value in infos["final_obs"][i].items()}, 0)
              else:
                  put(digest, observations, i)
              digest.update(rewards[i].tobytes())
              if ended[i]:
                  assert infos["_pa"][i] and infos["_ffr"][i]
                  digest.update(np.float64(infos["pa"][i]).tobytes())
                  results[running[i]] = digest.hexdigest()
          if mode == "SAME_STEP":
              for i in np.flatnonzero(ended):
                  running[i], steps[i] = begun, 0
                  begun += 1
                  digests[running[i]] = hashlib.sha256()
                  put(digests[running[i]], observations, i)
          else:
              over = ended
      env.close()
      print("\\n".join(results[i] for i in range(episodes)))
      """;

  @BeforeAll
  static void prepare() throws IOException {
    python = PythonPackage.in(folder);
  }

  @Test
  void episodesHaveTheSameBitsAsInJava() throws IOException, InterruptedException {
    assertSameBits(
        python.config(),
        python.out(),
        List.of("1", "NEXT_STEP", "dummy", "1"),
        List.of("7", "NEXT_STEP", "shmem", "3"),
        List.of("64", "SAME_STEP", "subproc", "2"));
  }

  /// Qlib's own training file, with the files that it names.
  @Test
  void soHaveThoseOfQlibsDialect() throws IOException, InterruptedException {
    Path configs = Shared.root().resolve("examples/qlib-run/exp_configs");
    Path bars = folder.resolve("bin");
    Path features = folder.resolve("features");
    Path orders = folder.resolve("orders");
    done("data", "generate", "--out", bars, "--frequency=5min", "--instruments=3", "--days=34");
    Path how = configs.resolve("pickle_data_config.yml");
    done("data", "features", how, "--out", features, "--bars", bars);
    Object[] split = {"--rule=qlib", "--train-until=2024-01-31", "--valid-until=2024-02-06"};
    done("orders", "generate", features, "--out", orders, split[0], split[1], split[2]);
    String provider = "state_interpreter.kwargs.processed_data_provider.kwargs.data_dir=";
    Path config =
        Files.writeString(
            folder.resolve("train.yml"),
            ConfigFiles.load(configs.resolve("train_opds.yml"))
                .with("data.source.order_dir=" + orders)
                .with("data.source.feature_root_dir=" + features)
                .with(provider + features)
                .toYaml());

    assertSameBits(config, folder.resolve("Qlib's run"), List.of("16", "SAME_STEP", "shmem", "2"));
  }

  /// @param ways number of environments, mode, kind and threads of each
  @SafeVarargs
  private static void assertSameBits(Path config, Path out, List<String>... ways)
      throws IOException, InterruptedException {
    List<String> expected = episodesInJava(config, out);
    for (List<String> each : ways) {
      String printed =
          python.run(
              PLAY,
              config.toString(),
              out.toString(),
              each.get(0),
              each.get(1),
              Integer.toString(EPISODES),
              each.get(2),
              each.get(3));
      assertThat(printed.lines().toList()).as(String.join(" ", each)).isEqualTo(expected);
    }
  }

  /// Returns the hash of each episode, played one after another.
  private static List<String> episodesInJava(Path config, Path out) throws IOException {
    ExecutionRun run = ExecutionRun.read(ConfigFiles.load(config), _ -> {});
    try (var parts = RunParts.of(run, PreparedData.of(run, new RunFolder(out), (_, _, _) -> {}))) {
      return episodes(parts);
    }
  }

  private static <O extends Observation> List<String> episodes(RunParts<O> parts) {
    var orders = parts.data().orders(OrderSplit.Tag.TRAIN);
    var order =
        DataQueueConfig.DEFAULT
            .withRepeat(DataQueueConfig.ENDLESS)
            .withSeed(RandomTree.root(SEED, "train states"));
    var hashes = new ArrayList<String>();
    try (var queue = new DataQueue<>(orders.size(), orders.load(), order).activate()) {
      var states = queue.iterator();
      EnvWrapper<Order, ?, ?, O> environment = parts.problem().open(new LogCollector());
      for (int episode = 0; episode < EPISODES; episode++) {
        hashes.add(hash(environment, states.next(), episode, parts.context().observations()));
      }
    }
    return hashes;
  }

  private static <O extends Observation> String hash(
      EnvWrapper<Order, ?, ?, O> environment, Order order, int episode, Space space) {
    var bytes = new ByteArrayOutputStream();
    write(bytes, space, environment.begin(order).toValue());
    int taken = 0;
    Step<O> step;
    do {
      step = environment.step(new Action.Discrete((episode + 3 * taken) % 5));
      taken++;
      write(bytes, space, step.observation().toValue());
      number(bytes, step.reward());
    } while (!step.done());
    LogCollector.Entry advantage = Objects.requireNonNull(step.log().entries().get("pa"));
    number(bytes, ((Number) Objects.requireNonNull(advantage.value())).doubleValue());
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray()));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static void number(ByteArrayOutputStream bytes, double number) {
    put(bytes, buffer().putDouble(number));
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void put(ByteArrayOutputStream bytes, ByteBuffer buffer) {
    buffer.flip();
    while (buffer.hasRemaining()) {
      bytes.write(buffer.get());
    }
  }

  private static void write(ByteArrayOutputStream bytes, Space space, Value value) {
    switch (space) {
      case Space.Dict(var parts) ->
          parts.forEach(
              (name, part) ->
                  write(
                      bytes,
                      part,
                      Objects.requireNonNull(((Value.Dict) value).entries().get(name))));
      case Space.Discrete _ -> put(bytes, buffer().putLong((long) at(value, 0)));
      case Space.Box box -> {
        int size = box.shape().stream().reduce(1, (a, b) -> a * b);
        for (int i = 0; i < size; i++) {
          put(
              bytes,
              switch (box.type()) {
                case FLOAT32 -> buffer().putFloat((float) at(value, i));
                case INT32 -> buffer().putInt((int) at(value, i));
                default -> throw new AssertionError(box.type());
              });
        }
      }
      default -> throw new AssertionError(space);
    }
  }

  private static double at(Value value, int index) {
    return switch (value) {
      case Value.Floats floats -> floats.at(index);
      case Value.Integers integers -> integers.at(index);
      default -> throw new AssertionError(value);
    };
  }
}
