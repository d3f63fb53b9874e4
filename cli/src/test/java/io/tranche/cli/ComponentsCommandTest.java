package io.tranche.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComponentsCommandTest {

  @TempDir Path folder;

  @Test
  void listsEveryKind() {
    Run run = Run.of("components");

    assertThat(run.status()).isZero();
    assertThat(run.out())
        .containsPattern("(?m)^policy +PPO +proximal policy optimisation \\[qlib\\.rl")
        .containsPattern("(?m)^policy +Ppo +proximal policy optimisation$")
        .contains("simulator ", "state_interpreter ", "action_interpreter ", "reward ")
        .contains("network ", "features ")
        .containsPattern("(?m)^strategies +TWAPStrategy ")
        .containsPattern("(?m)^strategies +TwapBaseline +evenly until the end$")
        .containsPattern("(?m)^strategies +PovBaseline ")
        .containsPattern("(?m)^executors +NestedExecutor ")
        .containsPattern("(?m)^providers +price_moves +columns \\$momentum3 ")
        .containsPattern("(?m)^providers +\\{table} ");
  }

  @Test
  void listsOneKind() {
    Run run = Run.of("components", "network");

    assertThat(run.status()).isZero();
    assertThat(run.out().lines()).isNotEmpty().allMatch(line -> line.startsWith("network "));
  }

  @Test
  void listsTheSettingsOfOneComponent() {
    Run run = Run.of("components", "SimpleSimulator");

    assertThat(run.status()).isZero();
    assertThat(run.out().lines().findFirst().orElseThrow()).startsWith("simulator  SimpleSim");
    assertThat(run.out())
        .contains(
            "  minutes_per_step  minutes from one decision to the next (default: 30, or the next",
            "  latency           bars that a decision takes to reach the market (default: 0)");
    assertThat(Run.of("components", "CategoricalInterpreter").out())
        .contains("1/n, ..., 1 (required)");
  }

  @Test
  void namesTheKinds() {
    assertThat(Run.of("components", "strategy").out())
        .isEqualTo(Run.of("components", "strategies").out())
        .contains("TwapBaseline");
    assertThat(Run.of("components", "networks").out())
        .isEqualTo(Run.of("components", "network").out());

    Run run = Run.of("components", "netwerk");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("KIND|NAME: expected the name of a component, or one of [simulator, ");
  }

  @Test
  void knowsComponentsOfTheUsersOwn() throws IOException {
    Path jar = rewardJar();

    Run file = Run.of("components", "reward", "--plugins", jar.toString());
    Run all = Run.of("components", "reward", "--plugins", folder.toString());
    Run without = Run.of("components", "reward");

    assertThat(file.out()).contains("FlatReward");
    assertThat(all.out()).isEqualTo(file.out());
    assertThat(without.out()).doesNotContain("FlatReward");
  }

  @Test
  void trainsWithComponentsOfTheUsersOwn() throws IOException {
    Path jar = rewardJar();
    Path config = SmallTraining.write(folder);

    Run run =
        Run.of(
            "train",
            config.toString(),
            "--out",
            folder.resolve("run").toString(),
            "--plugins",
            jar.toString(),
            "--set",
            "reward={class: FlatReward}",
            "--set",
            "env={concurrency: 1, parallel_mode: subproc}",
            "--set",
            "trainer={max_iterations: 1, episodes_per_iteration: 2, repeat: 1}");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("reward 22.5000"); // 3 a step, 7 and 8 steps
  }

  @Test
  void aPlugInThatDoesNotLoadIsNamedWithWhatToDo() throws IOException {
    String service = "META-INF/services/io.tranche.config.ComponentProvider";
    Path empty = jar("empty.jar", "readme.txt", "nothing");
    Path missing = jar("missing.jar", service, "mine.Missing\n");
    Path damaged = Files.writeString(folder.resolve("damaged.jar"), "no jar");

    assertThat(refused(empty))
        .contains("--plugins: expected a jar with a file " + service)
        .contains("empty.jar, which has none");
    assertThat(refused(missing))
        .contains("plug-in: expected the class that META-INF/services names")
        .contains("mine.Missing");
    assertThat(refused(damaged)).contains("--plugins: expected a jar that can be read");
  }

  @Test
  void aPlugInForAnotherVersionIsNamedWithWhatToDo() throws IOException {
    Path jar = rewardJar();
    byte[] code = Files.readAllBytes(folder.resolve("mine/FlatReward.class"));
    code[7] = 127; // the version of Java that a class file is for
    try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("META-INF/services/io.tranche.config.ComponentProvider"));
      out.write("mine.FlatReward\n".getBytes(UTF_8));
      out.putNextEntry(new JarEntry("mine/FlatReward.class"));
      out.write(code);
    }

    assertThat(refused(jar))
        .contains("expected a plug-in for this version of Tranche and for Java")
        .contains("build it again")
        .contains("mine/FlatReward");
  }

  private static String refused(Path jar) {
    Run run = Run.of("components", "reward", "--plugins", jar.toString());
    assertThat(run.status()).isEqualTo(2);
    return run.err();
  }

  private Path jar(String name, String entry, String text) throws IOException {
    Path jar = folder.resolve(name);
    try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry(entry));
      out.write(text.getBytes(UTF_8));
    }
    return jar;
  }

  /// Compiles a reward that no class path knows.
  private Path rewardJar() throws IOException {
    Path source = Files.createDirectories(folder.resolve("mine")).resolve("FlatReward.java");
    Files.writeString(
        source,
        """
        package mine;

        import io.tranche.config.Component;
        import io.tranche.config.ComponentProvider;
        import io.tranche.execution.catalog.ExecutionCatalog;
        import java.util.List;

        public final class FlatReward implements ComponentProvider {
          @Override
          public List<Component<?>> components() {
            return List.of(
                Component.of(
                    ExecutionCatalog.REWARD, "FlatReward", "3 a step", _ -> (_, _) -> 3.0));
          }
        }
        """);
    int status =
        Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                source.toString());
    assertThat(status).isZero();
    Path jar = folder.resolve("mine.jar");
    try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("META-INF/services/io.tranche.config.ComponentProvider"));
      out.write("mine.FlatReward\n".getBytes(UTF_8));
      out.putNextEntry(new JarEntry("mine/FlatReward.class"));
      Files.copy(source.resolveSibling("FlatReward.class"), out);
    }
    return jar;
  }
}
