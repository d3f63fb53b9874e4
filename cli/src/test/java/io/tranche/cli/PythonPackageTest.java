package io.tranche.cli;

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
import io.tranche.testkit.Python;
import io.tranche.testkit.Shared;
import java.io.ByteArrayOutputStream;
import java.io.File;
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
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The package `tranche` of clients/python with the real Gymnasium.
final class PythonPackageTest {

  private static final int EPISODES = 200;
  private static final long SEED = 5;

  @TempDir private static Path folder;
  private static Path launcher;
  private static Path config;

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
    config =
        Files.writeString(
            folder.resolve("a run.yml"),
            """
            tranche: 1
            data:
              market: {instruments: 3, days: 60}
            """);
    String classes =
        String.join(
            File.pathSeparator,
            System.getProperty("java.class.path"),
            System.getProperty("jdk.module.path", ""));
    launcher =
        Files.writeString(
            folder.resolve("tranche"),
            "#!/bin/sh\nexec '%s' -Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --add-modules=jdk.incubator.vector -cp '%s' %s \"$@\"\n"
                .formatted(
                    Path.of(System.getProperty("java.home"), "bin", "java"),
                    classes,
                    Main.class.getName()));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
  }

  private static Path python() {
    return Python.withOrSkip("gymnasium", "numpy");
  }

  private static String run(String program, String... arguments)
      throws IOException, InterruptedException {
    return Python.run(python(), preamble() + program, arguments);
  }

  private static String preamble() {
    return """
    import os, sys
    sys.path.insert(0, %s)
    os.environ["TRANCHE"] = %s
    """
        .formatted(
            quoted(Shared.root().resolve("clients/python").toString()),
            quoted(launcher.toString()));
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  private static Path out() {
    return folder.resolve("a run");
  }

  @Test
  void episodesHaveTheSameBitsAsInJava() throws IOException, InterruptedException {
    List<String> expected = episodesInJava();

    for (String[] each :
        List.of(
            new String[] {"1", "NEXT_STEP", "dummy", "1"},
            new String[] {"7", "NEXT_STEP", "shmem", "3"},
            new String[] {"64", "SAME_STEP", "subproc", "2"})) {
      String printed =
          run(
              PLAY,
              config.toString(),
              out().toString(),
              each[0],
              each[1],
              Integer.toString(EPISODES),
              each[2],
              each[3]);
      assertThat(printed.lines().toList()).as(String.join(" ", each)).isEqualTo(expected);
    }
  }

  @Test
  void gymnasiumsCheckerAcceptsIt() throws IOException, InterruptedException {
    String printed =
        run(
            """
            import warnings
            warnings.simplefilter("ignore")
            import gymnasium, tranche
            from gymnasium.utils.env_checker import check_env

            env = gymnasium.make("tranche/Execution-v0", config=sys.argv[1], out=sys.argv[2], flat=True)
            check_env(env.unwrapped)
            env.close()
            env = gymnasium.make_vec("tranche/Execution-v0", num_envs=3, config=sys.argv[1], out=sys.argv[2],
                                     vectorization_mode="vector_entry_point")
            observations, _ = env.reset(seed=1)
            assert observations in env.observation_space
            env.close()
            print("checked")
            """,
            config.toString(),
            out().toString());

    assertThat(printed).isEqualTo("checked\n");
  }

  @Test
  void mistakesHaveOneMessageEach() throws IOException, InterruptedException {
    String printed =
        run(
            """
            import numpy as np
            import tranche

            def refused(action):
                try:
                    action()
                except (tranche.TrancheError, TypeError, ValueError) as e:
                    print(str(e).splitlines()[-1])
                else:
                    print("accepted")

            refused(lambda: tranche.make_vec("no file.yml"))
            refused(lambda: tranche.make_vec({"tranche": 1, "tariner": {}}))
            env = tranche.make_vec(sys.argv[1], num_envs=2, out=sys.argv[2])
            refused(lambda: env.step(np.array([0, 0])))
            env.reset(seed=1)
            refused(lambda: env.step(np.array([0, 99])))
            refused(lambda: env.step(np.array([0.5, 0.5])))
            refused(lambda: env.step(np.array([0])))
            refused(lambda: env.reset(seed=[1, 2]))
            env.step(np.array([0, 0]))
            env.close()
            refused(lambda: env.step(np.array([0, 0])))
            os.environ["TRANCHE"] = "/nowhere/tranche"
            refused(lambda: tranche.make_vec(sys.argv[1]))
            """,
            config.toString(),
            out().toString());

    assertThat(printed.lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("no file.yml").contains("(exit code 2)"),
            line -> assertThat(line).contains("nearest: trainer").contains("(exit code 2)"),
            line ->
                assertThat(line).isEqualTo("environments must be reset before their first step"),
            line -> assertThat(line).contains("must be a whole number in [0, 4], was 99"),
            line -> assertThat(line).isEqualTo("actions: expected whole numbers, was float64"),
            line -> assertThat(line).isEqualTo("actions: expected the shape (2,), was (1,)"),
            line -> assertThat(line).startsWith("seed: expected a whole number"),
            line -> assertThat(line).isEqualTo("environments: expected open ones, was closed"),
            line -> assertThat(line).startsWith("TRANCHE: expected the path of the launcher"));
  }

  @Test
  void aKilledJavaIsAnException() throws IOException, InterruptedException {
    String printed =
        run(
            """
            import gc, glob, signal, tempfile, threading, time
            import numpy as np
            import tranche

            def held():
                gc.collect()
                return (sorted(os.readlink(each) for each in glob.glob("/proc/self/fd/*") if os.path.exists(each)),
                        threading.active_count(), sorted(glob.glob("/dev/shm/tranche*")),
                        [line for line in open("/proc/self/maps") if "tranche" in line])

            before = held()
            env = tranche.make_vec(sys.argv[1], num_envs=2, out=sys.argv[2])
            env.reset(seed=1)
            process = env._bridge._process
            os.kill(process.pid, signal.SIGKILL)
            began = time.monotonic()
            try:
                for _ in range(10):
                    env.step(np.array([0, 0]))
            except tranche.TrancheError as e:
                print(e)
            assert time.monotonic() - began < 1, time.monotonic() - began
            env.close()
            assert process.returncode == -9  # waited for: no zombie
            del env
            assert held() == before, (held(), before)
            """,
            config.toString(),
            out().toString());

    assertThat(printed).contains("(exit code -9)");
  }

  @Test
  void whateverALauncherAnswersEndsInANamedError() throws IOException, InterruptedException {
    String printed =
        run(
            """
            import random, stat, tempfile
            import tranche

            random.seed(1)
            folder = tempfile.mkdtemp()
            launcher, answer = os.path.join(folder, "tranche"), os.path.join(folder, "answer")
            with open(launcher, "w") as script:
                script.write("#!/bin/sh\\nexec cat '%s'\\n" % answer)
            os.chmod(launcher, stat.S_IRWXU)
            os.environ["TRANCHE"] = launcher
            described = b'{"protocol": 1, "environments": 1}'
            answers = [random.randbytes(random.randrange(30)) for _ in range(100)]
            answers += [bytes([random.randrange(3)]) + random.randbytes(random.randrange(9)) for _ in range(100)]
            answers += [b"\\x02" + len(text).to_bytes(4, "big") + text for text in (b"[]", b"7", b"{", described, b"\\xff")]
            for each in answers:
                with open(answer, "wb") as out:
                    out.write(each)
                try:
                    tranche.make_vec({})
                    print("accepted", each)
                except tranche.TrancheError as e:
                    assert str(e), each
            print("named")
            """);

    assertThat(printed).isEqualTo("named\n");
  }

  @Test
  @Tag("full")
  void aMillionStepsLeakNothing() throws IOException, InterruptedException {
    String printed =
        run(
            """
            import glob
            import numpy as np
            import tranche

            def used(pid):
                with open(f"/proc/{pid}/statm") as pages:
                    memory = int(pages.read().split()[1]) * 4096
                return memory, len(glob.glob(f"/proc/{pid}/fd/*")), len(glob.glob(f"/proc/{pid}/task/*"))

            env = tranche.make_vec(sys.argv[1], num_envs=256, out=sys.argv[2], copy=False)
            env.reset(seed=1)
            pids = (os.getpid(), env._bridge._process.pid)
            actions = np.zeros(256, dtype=np.int64)
            for batch in range(4000):
                env.step(actions)
                if batch == 2000:
                    before = [used(pid) for pid in pids]
            after = [used(pid) for pid in pids]
            env.close()
            for one, other in zip(before, after):
                assert other[0] < one[0] + 16_000_000 and other[1:] == one[1:], (before, after)
            print("flat")
            """,
            config.toString(),
            out().toString());

    assertThat(printed).isEqualTo("flat\n");
  }

  @Test
  void framesAreWrittenAndReadExactly() throws IOException, InterruptedException {
    String printed =
        Python.run(
            Python.withOrSkip("gymnasium", "numpy", "pandas", "pyarrow"),
            preamble()
                + """
                import numpy as np
                import pyarrow
                import tranche

                config = {"tranche": 1, "data": {"market": {"instruments": 2, "days": 30}}}
                run = os.path.join(sys.argv[1], "frames run")
                tranche.verb("train", {**config, "trainer": {"max_iterations": 1, "episodes_per_iteration": 20}},
                             "--out", run, "--run-backtest", progress=False)
                bars = tranche.read_bars(os.path.join(run, "data", "bars"))
                seen = []
                for each in (bars, pyarrow.Table.from_pandas(bars, preserve_index=False), os.path.join(run, "data", "bars")):
                    env = tranche.make_vec({"tranche": 1, "data": {"bars": each}}, num_envs=4)
                    seen.append(env.reset(seed=3)[0]["data_processed_prev"])
                    env.close()
                assert np.array_equal(seen[0], seen[1]) and np.array_equal(seen[0], seen[2])
                results = tranche.read_results(run)
                orders = results[["instrument", "side", "start", "end", "amount"]]
                judged = tranche.judge(run, orders=orders, bars=bars)
                assert judged, judged
                tranche.verb("backtest", run, "--orders", orders, "--out", run + " 2", progress=False)
                again = tranche.read_results(run + " 2")
                assert (again["advantage_bps"] == results["advantage_bps"]).all()
                assert "iframe" in tranche.Report(os.path.join(run, "judge"))._repr_html_()
                print(len(results) > 0)
                """,
            folder.toString());

    assertThat(printed).isEqualTo("True\n");
  }

  @Test
  void aKilledPythonLeavesNoJava() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                python().toString(),
                "-c",
                preamble()
                    + """
                    import time
                    import tranche

                    env = tranche.make_vec(sys.argv[1], num_envs=2, out=sys.argv[2])
                    env.reset(seed=1)
                    print(env._bridge._process.pid, flush=True)
                    time.sleep(600)
                    """,
                config.toString(),
                out().toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var reader = process.inputReader()) {
      ProcessHandle java = ProcessHandle.of(Long.parseLong(reader.readLine())).orElseThrow();
      process.destroyForcibly().waitFor();

      java.onExit().orTimeout(60, TimeUnit.SECONDS).join();
      assertThat(java.isAlive()).isFalse();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void theProgramsOfThePageRun() throws IOException, InterruptedException {
    List<String> programs = programs(false);

    assertThat(programs).hasSize(2);
    for (String program : programs) {
      assertThat(run(program)).isNotBlank();
    }
  }

  @Test
  @Tag("full")
  void stableBaselinesTrainsOnItAndItsCheckerAcceptsIt() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("stable-baselines3", "gymnasium", "numpy");
    for (String program : programs(true)) {
      Python.run(python, preamble() + program);
    }
    String printed =
        Python.run(
            python,
            preamble()
                + """
                import warnings
                warnings.simplefilter("ignore")
                import numpy as np
                import tranche
                from stable_baselines3 import PPO
                from stable_baselines3.common.env_checker import check_env
                from tranche.sb3 import TrancheVecEnv

                market = {"tranche": 1, "data": {"market": {"instruments": 8, "days": 250}}}
                env = tranche.make(market, flat=True)
                check_env(env)
                env.close()
                env = TrancheVecEnv(market, num_envs=4, flat=False)
                PPO("MultiInputPolicy", env, n_steps=16).learn(64)
                env.close()

                env = TrancheVecEnv(market, num_envs=64)
                env.seed(1)
                model = PPO("MlpPolicy", env, n_steps=64, batch_size=512, n_epochs=4, seed=1)
                model.learn(200_000)
                env.close()

                test = TrancheVecEnv(market, num_envs=16, stage="test")
                advantages = []
                observations = test.reset()
                while len(advantages) < 400:
                    actions, _ = model.predict(observations, deterministic=True)
                    observations, _, _, infos = test.step(actions)
                    advantages += [info["pa"] for info in infos if "pa" in info]
                test.close()
                advantages = np.array(advantages)
                print(advantages.mean() > 2 * advantages.std() / np.sqrt(len(advantages)), advantages.mean())
                """);

    assertThat(printed).startsWith("True");
  }

  /// Returns the programs of docs/python.md.
  ///
  /// @param needsMore those that need other packages than Gymnasium
  private static List<String> programs(boolean needsMore) throws IOException {
    String page = Files.readString(Shared.root().resolve("docs/python.md"));
    return Pattern.compile("(<!-- needs: [^>]*-->\n)?```python\n(.*?)```", Pattern.DOTALL)
        .matcher(page)
        .results()
        .filter(block -> (block.group(1) != null) == needsMore)
        .map(block -> block.group(2))
        .toList();
  }

  /// Returns the hash of each episode, played one after another.
  private static List<String> episodesInJava() throws IOException {
    ExecutionRun run = ExecutionRun.read(ConfigFiles.load(config), _ -> {});
    try (var parts =
        RunParts.of(run, PreparedData.of(run, new RunFolder(out()), (_, _, _) -> {}))) {
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
