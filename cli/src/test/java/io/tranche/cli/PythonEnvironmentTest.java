package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The package `tranche` of clients/python with the real Gymnasium.
final class PythonEnvironmentTest {

  private static final String NO_JDK =
      "TRANCHE_JAVA_HOME: expected the folder of a JDK 25 or newer, was /nowhere (exit code 2)";

  @TempDir private static Path folder;
  private static PythonPackage python;

  @BeforeAll
  static void prepare() throws IOException {
    python = PythonPackage.in(folder);
  }

  @Test
  void gymnasiumsCheckerAcceptsIt() throws IOException, InterruptedException {
    String printed =
        python.run(
            """
            import warnings
            warnings.simplefilter("ignore")
            import gymnasium, tranche
            from gymnasium.utils.env_checker import check_env

            for flat in (True, False):
                env = gymnasium.make("tranche/Execution-v0", config=sys.argv[1], out=sys.argv[2], flat=flat)
                check_env(env.unwrapped)
                env.close()
            env = gymnasium.make_vec("tranche/Execution-v0", num_envs=3, config=sys.argv[1], out=sys.argv[2],
                                     vectorization_mode="vector_entry_point")
            observations, _ = env.reset(seed=1)
            assert observations in env.observation_space
            env.close()
            print("checked")
            """,
            python.config().toString(),
            python.out().toString());

    assertThat(printed).isEqualTo("checked\n");
  }

  @Test
  void mistakesHaveOneMessageEach() throws IOException, InterruptedException {
    String printed =
        python.run(
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
            os.environ.update(TRANCHE=sys.argv[3], TRANCHE_JAVA_HOME="/nowhere")
            refused(lambda: tranche.make_vec(sys.argv[1]))
            refused(lambda: tranche.verb("components"))
            """,
            python.config().toString(),
            python.out().toString(),
            Shared.root().resolve("tranche").toString());

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
            line -> assertThat(line).startsWith("TRANCHE: expected the path of the launcher"),
            line -> assertThat(line).isEqualTo(NO_JDK),
            line -> assertThat(line).isEqualTo("tranche components: " + NO_JDK));
  }

  /// Systems other than Linux have no memory without a name.
  @Test
  void aMappedFileTakesThePlaceOfSharedMemory() throws IOException, InterruptedException {
    String printed =
        python.run(
            """
            import hashlib, tempfile
            import numpy as np
            import tranche

            def played():
                env = tranche.make_vec(sys.argv[1], num_envs=4, out=sys.argv[2], flat=True)
                digest = hashlib.sha256(env.reset(seed=1)[0].tobytes())
                for step in range(20):
                    observations, rewards, *_ = env.step(np.full(4, step % 3))
                    digest.update(observations.tobytes() + rewards.tobytes())
                env.close()
                return digest.hexdigest()

            named = played()
            del os.memfd_create
            tempfile.tempdir = sys.argv[3]
            assert played() == named
            print(os.listdir(sys.argv[3]))
            """,
            python.config().toString(),
            python.out().toString(),
            Files.createDirectories(folder.resolve("temporary")).toString());

    assertThat(printed).isEqualTo("[]\n");
  }

  /// Actions are numbers here, and episodes begin when the caller says so.
  @Test
  void withoutAutoresetAMaskSaysWhoBegins() throws IOException, InterruptedException {
    String printed =
        python.run(
            """
            import numpy as np
            import tranche

            settings = {"action_interpreter": "{class: TwapRelativeInterpreter, kwargs: {max_rate: 4}}"}
            env = tranche.make_vec(sys.argv[1], num_envs=3, out=sys.argv[2], flat=True, settings=settings,
                                   autoreset_mode="Disabled")
            actions = np.ones((3, 1), dtype=np.float32)
            assert actions in env.action_space and env.single_action_space.high == 4
            env.reset(seed=1)
            for step in range(8):
                last, _, ended, _, infos = env.step(actions)
            assert ended.all() and infos["_ffr"].all()

            def refused(action):
                try:
                    action()
                except (tranche.TrancheError, ValueError) as e:
                    print(e)

            refused(lambda: env.step(actions))
            refused(lambda: env.reset(options={"reset_mask": [True]}))
            refused(lambda: env.reset(seed=1, options={"reset_mask": [True] * 3}))
            mask = np.array([False, True, False])
            observations, _ = env.reset(options={"reset_mask": mask})
            assert (observations[~mask] == last[~mask]).all() and observations[1, 0] == 1 and observations[1, 1] == 0
            refused(lambda: env.step(actions))
            env.reset(options={"reset_mask": ~mask})
            env.step(actions)
            env.close()
            """,
            python.config().toString(),
            python.out().toString());

    assertThat(printed)
        .isEqualTo(
            """
            environment 0 must be reset before its next step, was at the end of its episode
            reset_mask: expected the shape (3,), was (1,)
            seed: expected None with a reset_mask, was 1
            environment 0 must be reset before its next step, was at the end of its episode
            """);
  }

  @Test
  void aProblemOfAPlugInIsAnEnvironment() throws IOException, InterruptedException {
    Path jar =
        PluginJar.of(
            folder,
            "a problem.jar",
            Map.of(PluginJar.COMPONENTS, "io.tranche.examples.problem.AccumulationProvider"),
            "custom-problem");

    String printed =
        python.run(
            """
            import warnings
            warnings.simplefilter("ignore")
            import gymnasium, tranche
            import numpy as np
            from gymnasium.utils.env_checker import check_env

            accumulation, jar = {"problem": {"class": "Accumulation"}}, sys.argv[1]
            env = gymnasium.make("tranche/Problem-v0", config=accumulation, plugins=[jar])
            check_env(env.unwrapped)
            env.close()
            env = tranche.make_vec(accumulation, num_envs=20, plugins=[jar], flat=True, autoreset_mode="SameStep")
            assert env.num_orders == 20
            seen = set()
            observations, _ = env.reset(seed=1)
            rewards = []
            for _ in range(40):
                # What is left of the target, at most 4: solves it.
                seen |= set(observations[observations[:, 1] == 0, 0])
                observations, reward, ended, _, infos = env.step(np.minimum(observations[:, 0], 4).astype(int))
                rewards += list(reward[ended])
            assert set(rewards) == {1.0} and seen == set(range(1, 21)), (set(rewards), seen)
            env.close()
            for config, options in ((accumulation, {}), ({"problem": {"class": "Accumulatoin"}}, {"plugins": [jar]}),
                                    (accumulation, {"plugins": [jar], "stage": "test"}),
                                    ({**accumulation, "data": {}}, {"plugins": [jar]})):
                try:
                    tranche.make_vec(config, **options)
                except tranche.TrancheError as e:
                    print(str(e).splitlines()[-1])
            """,
            jar.toString());

    assertThat(printed.lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("Accumulation").contains("(exit code 2)"),
            line -> assertThat(line).contains("nearest: Accumulation").contains("(exit code 2)"),
            line ->
                assertThat(line)
                    .startsWith("--stage: expected train, as the problem has no others, was test"),
            line -> assertThat(line).contains("data").contains("(exit code 2)"));
  }

  @Test
  void theProgramsOfThePageRun() throws IOException, InterruptedException {
    List<String> programs = programs(false);

    assertThat(programs).hasSize(3);
    for (String program : programs) {
      assertThat(python.run("os.chdir(sys.argv[1])\n" + program, folder.toString())).isNotBlank();
    }
  }

  /// Returns the programs of docs/python.md.
  ///
  /// @param needsMore those that need other packages than Gymnasium
  static List<String> programs(boolean needsMore) throws IOException {
    String page = Files.readString(Shared.root().resolve("docs/python.md"));
    return Pattern.compile("(<!-- needs: [^>]*-->\n)?```python\n(.*?)```", Pattern.DOTALL)
        .matcher(page)
        .results()
        .filter(block -> (block.group(1) != null) == needsMore)
        .map(block -> block.group(2))
        .toList();
  }
}
