package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A project that `tranche new` made. `.ci/release-check` builds one with its own scripts.
class NewTest {

  private static final Pattern REWARD = Pattern.compile("\"reward\": ?(-?[\\d.E-]+)");

  @TempDir Path folder;

  @Test
  void trainsWithTheRewardAndTheFeatureOfTheProject() throws Exception {
    Path project = folder.resolve("my-desk");
    Run made = Run.of("new", project.toString());
    assertThat(made.status()).as(made.err()).isZero();
    assertThat(made.out()).contains("What next");
    assertThat(project.resolve("run")).isExecutable();
    Path jar = build(project);

    Path config = project.resolve(".here.yml");
    Files.writeString(
        config,
        Files.readString(project.resolve("config/train.yml"))
            .replace("data/sample.csv", project.resolve("data/sample.csv").toString())
            .replace("max_iterations: 10", "max_iterations: 1"));
    Run own = train(config, jar, "own");
    Run usual = train(config, jar, "usual", "--set", "reward={class: HoldingReward}");

    assertThat(own.status()).as(own.err()).isZero();
    assertThat(usual.status()).as(usual.err()).isZero();
    assertThat(folder.resolve("own/config.yml")).content().contains("EarlyReward", "day_range");
    assertThat(reward("own")).isNotEqualTo(reward("usual"));
    Run refused = Run.of("train", config.toString(), "--out", folder + "/none");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("EarlyReward");
  }

  @Test
  void theConfigurationIsForTheBarsOfTheUser() throws IOException {
    Path bars = folder.resolve("own bars.csv");
    List<String> words =
        new ArrayList<>(
            List.of(
                "data generate --days 6 --instruments 2 --session us_stocks --frequency 15min --out"
                    .split(" ")));
    words.add(bars.toString());
    assertThat(Run.of(words.toArray(String[]::new)).status()).isZero();

    Run run = Run.of("new", folder.resolve("desk2").toString(), "--bars", bars.toString());

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(folder.resolve("desk2/config/train.yml"))
        .content()
        .contains(bars.toString(), "costs: us_stocks", "EarlyReward");
  }

  @Test
  void refusesWhatIsNoName() throws IOException {
    Files.writeString(folder.resolve("mine.txt"), "mine");

    for (String name : List.of("2nd", "my desk", "a&b")) {
      Run run = Run.of("new", folder.resolve(name).toString());
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err()).startsWith("PROJECT: expected a name of letters");
    }
    Run full = Run.of("new", folder.toString());
    assertThat(full.status()).isEqualTo(2);
    assertThat(full.err()).startsWith("PROJECT: expected a new or empty folder");
    assertThat(folder.toFile().list()).containsExactly("mine.txt");
  }

  /// Versions in the template must be ones that our own build uses.
  @Test
  void thePomHasOurVersions() throws IOException {
    Run.of("new", folder.resolve("desk").toString());
    String ours = Files.readString(Shared.root().resolve("pom.xml"));

    Matcher version =
        Pattern.compile("<version>(\\d[\\w.]*)</version>")
            .matcher(Files.readString(folder.resolve("desk/pom.xml")));
    while (version.find()) {
      assertThat(ours).contains(">" + version.group(1) + "<");
    }
  }

  private Run train(Path config, Path jar, String out, String... more) {
    List<String> words =
        new ArrayList<>(List.of("train", config.toString(), "--plugins", jar.toString(), "--out"));
    words.add(folder.resolve(out).toString());
    words.addAll(List.of(more));
    return Run.of(words.toArray(String[]::new));
  }

  private String reward(String run) throws IOException {
    Matcher found = REWARD.matcher(Files.readString(folder.resolve(run).resolve("metrics.jsonl")));
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  /// As the project's `build` does it without Maven.
  private Path build(Path project) throws IOException {
    Path classes = Files.createDirectories(project.resolve("target/classes"));
    var words = new ArrayList<String>(List.of("-d", classes.toString(), "-Xlint:all", "-Werror"));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), "-proc:none"));
    words.add("-Xlint:-classfile,-path");
    for (String tree : List.of("src/main/java", "src/test/java")) {
      try (Stream<Path> files = Files.walk(project.resolve(tree))) {
        files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(words::add);
      }
    }
    int status =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new));
    assertThat(status).isZero();
    Path jar = project.resolve("target/my-desk.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        var out = new JarOutputStream(file)) {
      for (Path tree : List.of(classes, project.resolve("src/main/resources"))) {
        try (Stream<Path> files = Files.walk(tree)) {
          for (Path each : files.filter(Files::isRegularFile).toList()) {
            out.putNextEntry(new JarEntry(tree.relativize(each).toString()));
            Files.copy(each, out);
          }
        }
      }
    }
    return jar;
  }
}
