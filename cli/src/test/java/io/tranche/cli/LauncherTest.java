package io.tranche.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher script, in a project and with a JDK and a Maven that only say what they were asked.
class LauncherTest {

  private static final String FIRST_HEAP = "<-Xms256m>\n<-XX:+AlwaysPreTouch>\n";

  private record Outcome(int status, String out, String err) {}

  @TempDir Path folder;
  private Path project;
  private Path jdk;
  private Path tools;

  @BeforeEach
  void makeAProjectWithSpacesInItsPath() throws IOException {
    project = Files.createDirectories(folder.resolve("my projects/tranche one"));
    Files.copy(Shared.root().resolve("tranche"), project.resolve("tranche"));
    Files.writeString(project.resolve("pom.xml"), "<project/>");
    Files.createDirectories(project.resolve("cli/src/main"));
    Files.writeString(project.resolve("cli/pom.xml"), "<project/>");
    Files.createDirectories(project.resolve("cli/target/lib"));
    Files.writeString(project.resolve("cli/target/lib/tranche-cli.jar"), "");
    jdk = jdk("jdk 25", "25.0.3");
    tools = Files.createDirectories(folder.resolve("tools"));
    script(tools.resolve("mvn"), "echo \"[INFO] Building Tranche cli 0.1 [6/6]\"; echo \"$@\"");
  }

  @Test
  void runsTheBuiltProgramAndPassesArgumentsAndExitCodeOn() throws Exception {
    markBuilt();

    Outcome outcome = launch(project.resolve("tranche"), "data", "check", "a file with blanks");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .contains("<io.tranche.cli.Main>\n<data>\n<check>\n<a file with blanks>\n")
        .contains("my projects/tranche one/cli/target/lib/tranche-cli.jar");
    assertThat(outcome.status()).isEqualTo(7);
  }

  @Test
  void bringsSparkAlongOnlyForClusters() throws Exception {
    markBuilt();
    Files.createFile(project.resolve("target/launcher/cluster.stamp"));
    Path spark = Files.createDirectories(project.resolve("cluster/target/lib"));
    Files.writeString(spark.resolve("spark-core.jar"), "");

    for (String[] arguments :
        List.of(
            new String[] {"cluster", "up"},
            new String[] {"backtest", "a.yml", "--on", "spark://here:7077"},
            new String[] {"backtest", "a.yml", "--on=yarn"})) {
      assertThat(launch(project.resolve("tranche"), arguments).out())
          .contains("cluster/target/lib/spark-core.jar")
          .contains("<io.tranche.cli.Main>");
    }
    for (String[] arguments :
        List.of(
            new String[] {"backtest", "a.yml"},
            new String[] {"backtest", "a.yml", "--on", "local"},
            new String[] {"backtest", "a.yml", "--on=local"})) {
      assertThat(launch(project.resolve("tranche"), arguments).out()).doesNotContain("spark");
    }
  }

  @Test
  void worksThroughLinksFromAnotherDirectory() throws Exception {
    markBuilt();
    Path inner = Files.createDirectories(folder.resolve("bin"));
    Path relative = inner.relativize(project.resolve("tranche"));
    Files.createSymbolicLink(inner.resolve("tranche"), relative);
    Files.createSymbolicLink(folder.resolve("t"), inner.resolve("tranche"));

    Outcome outcome = launch(folder.resolve("t"), "--help");

    assertThat(outcome.out()).contains("<--help>");
  }

  @Test
  void buildsWhenThereIsNoBuildOrASourceIsNewer() throws Exception {
    Outcome first = launch(project.resolve("tranche"), "demo");
    Outcome second = launch(project.resolve("tranche"), "demo");
    Path source = project.resolve("cli/src/main/New.java");
    Files.writeString(source, "");
    Files.setLastModifiedTime(source, FileTime.from(Instant.parse("2100-01-01T00:00:00Z")));
    Outcome third = launch(project.resolve("tranche"), "demo");

    assertThat(first.err()).contains("building Tranche").contains("[6/6] cli");
    assertThat(second.err()).isEmpty();
    assertThat(third.err()).contains("building Tranche");
  }

  @Test
  void showsTheErrorsOfAFailedBuildAndDoesNotRun() throws Exception {
    script(tools.resolve("mvn"), "echo '[ERROR] Foo.java:[1,2] no such thing'; exit 1");

    Outcome outcome = launch(project.resolve("tranche"), "demo");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).contains("no such thing").contains("the build failed");
  }

  @Test
  void refusesAnOldJdkThatWasNamedExplicitly() throws Exception {
    jdk = jdk("jdk 17", "17.0.15");

    Outcome outcome = launch(project.resolve("tranche"), "demo");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("TRANCHE_JAVA_HOME: expected the folder of a JDK 25");
  }

  @Test
  void saysWhatToInstallWhenThereIsNoJdk() throws Exception {
    // No machine has a JDK 99 in its usual folders.
    Path launcher = project.resolve("tranche");
    Files.writeString(launcher, Files.readString(launcher).replace("minimum=25", "minimum=99"));

    Outcome outcome = launch(launcher, Map.of("JAVA_HOME", jdk.toString()), "demo");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("needs a JDK 99 or newer and found none")
        .contains("Install");
  }

  @Test
  void saysWhatToInstallWhenThereIsNoMaven() throws Exception {
    Files.delete(tools.resolve("mvn"));
    for (String tool :
        List.of("bash", "dirname", "readlink", "sed", "head", "find", "mkdir", "touch", "cat")) {
      Files.createSymbolicLink(tools.resolve(tool), Path.of("/usr/bin", tool));
    }

    Outcome outcome =
        launch(
            project.resolve("tranche"),
            Map.of("TRANCHE_JAVA_HOME", jdk.toString(), "PATH", tools.toString()),
            "demo");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("found no 'mvn'");
  }

  @Test
  void explainsAndGuardsTheTestVerb() throws Exception {
    assertThat(launch(project.resolve("tranche"), "test", "--help").out()).contains("--full");
    assertThat(launch(project.resolve("tranche"), "test", "--fast").status()).isEqualTo(2);
  }

  @Test
  void namesEachSkippedTestOfThisRunWithItsReason() throws Exception {
    Path old = report("cli", "Old", "<skipped message=\"of an earlier run\"/>");
    Files.setLastModifiedTime(old, FileTime.from(Instant.EPOCH));
    report(
        "examples/mine",
        "ATest",
        "<skipped message=\"Assumption failed: skipped: no &quot;x&quot;\"/>");
    report("cli", "BTest", "<skipped/>");
    report(
        "cli",
        "CTest",
        """
        <skipped type="T"><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: skipped: no y
        \tat io.tranche.CTest.open(CTest.java:1)
        ]]></skipped>""");
    script(tools.resolve("mvn"), "find '%s' -name '*Test.xml' -exec touch {} +".formatted(project));

    Outcome outcome = launch(project.resolve("tranche"), "test");

    assertThat(outcome.err())
        .contains("  skipped: ATest.works: no \"x\"\n  skipped: BTest.works: no reason given\n")
        .contains("  skipped: CTest.works: no y\n")
        .doesNotContain("earlier");
    assertThat(outcome.out()).isEqualTo("0 passed, 0 failed, 3 skipped\n");
    assertThat(outcome.status()).isZero();
  }

  @Test
  void aBuildServerSkipsNothingButWhatMayNotBeCommitted() throws Exception {
    Path skipping =
        report("cli", "ATest", "<skipped message=\"skipped: ../shared/a is not there\"/>");
    script(tools.resolve("mvn"), "find '%s' -name '*Test.xml' -exec touch {} +".formatted(project));
    Path shared = folder.resolve("data");
    Map<String, String> server =
        Map.of(
            "TRANCHE_JAVA_HOME", jdk.toString(), "CI", "true", "TRANCHE_SHARED", shared.toString());

    Outcome without = launch(project.resolve("tranche"), server, "test");
    Files.createDirectory(shared);
    Outcome with = launch(project.resolve("tranche"), server, "test");
    Files.writeString(skipping, Files.readString(skipping).replace("../shared/a", "Chromium"));
    Files.delete(shared);
    Outcome browser = launch(project.resolve("tranche"), server, "test");
    Files.delete(skipping);
    Outcome none = launch(project.resolve("tranche"), server, "test");

    assertThat(without.status()).isZero();
    assertThat(without.err()).contains("TRANCHE_SHARED: expected the folder of the shared data");
    for (Outcome outcome : List.of(with, browser)) {
      assertThat(outcome.status()).isEqualTo(1);
      assertThat(outcome.err()).contains("tests: expected none skipped where CI is set, was 1\n");
    }
    assertThat(none.status()).isZero();
    assertThat(none.err()).doesNotContain("expected");
  }

  @Test
  void verbsThatRunModelsGetTheFastKernels() throws Exception {
    markBuilt();
    Files.writeString(
        jdk.resolve("release"), "JAVA_VERSION=\"25.0.3\"\nMODULES=\"jdk.incubator.vector\"\n");
    Path launcher = project.resolve("tranche");
    String kernels = "<--add-modules=jdk.incubator.vector>";

    assertThat(launch(launcher, "journal", "explain", "a").out())
        .contains(kernels, "<-XX:+UseParallelGC>");
    assertThat(launch(launcher, "journal", "verify", "a").out())
        .contains("<-XX:+UseParallelGC>")
        .doesNotContain(kernels);
  }

  @Test
  void aTrainingTakesLittleMemoryUnlessTheUserNamesACollector() throws Exception {
    markBuilt();
    Path launcher = project.resolve("tranche");
    Map<String, String> usual = Map.of("TRANCHE_JAVA_HOME", jdk.toString());
    var heap = new HashMap<>(usual);
    heap.put("TRANCHE_JAVA_OPTIONS", "-Xmx8g");
    var collector = new HashMap<>(usual);
    collector.put("TRANCHE_JAVA_OPTIONS", "-Xmx8g -XX:+UseZGC");
    String little = "<-XX:+UseParallelGC>\n<-Xms32m>\n<-XX:MaxNewSize=40m>\n";

    for (String verb : List.of("train", "demo", "tune")) {
      assertThat(launch(launcher, usual, verb).out()).contains(little);
    }
    assertThat(launch(launcher, heap, "train").out()).contains(little, "<-Xmx8g>");
    for (String verb : List.of("train", "journal", "dashboard", "--help")) {
      assertThat(launch(launcher, collector, verb).out())
          .contains("<-XX:+UseZGC>")
          .doesNotContain("ParallelGC", "SerialGC", "MaxNewSize");
    }
    assertThat(launch(launcher, usual, "data").out()).doesNotContain("ParallelGC", "MaxNewSize");
  }

  /// Java does not start if the first heap is larger than the largest, or ignores a lower limit.
  @Test
  void aServiceBeginsWithItsHeapUnlessTheUserNamesOne() throws Exception {
    markBuilt();
    heapsGrowTo(8L << 30); // more than an int

    assertThat(serve("TRANCHE_JAVA_OPTIONS", ""))
        .contains("<-XX:MaxGCPauseMillis=4>\n<-XX:MaxTenuringThreshold=0>\n" + FIRST_HEAP);
    for (String own :
        List.of(
            "-Xmx128m",
            "-Xms64m",
            "-XX:MaxHeapSize=128m",
            "-XX:MaxRAMPercentage=1",
            "-XX:InitialRAMPercentage=1",
            "-XX:MaxRAM=512m",
            "-XX:+UseZGC")) {
      assertThat(serve("TRANCHE_JAVA_OPTIONS", own))
          .contains("<" + own + ">", "<-XX:MaxTenuringThreshold=0>")
          .doesNotContain("-Xms256m", "PreTouch");
    }
    for (String variable : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")) {
      assertThat(serve(variable, "-Dx=y -Xmx128m"))
          .contains("<-XX:MaxTenuringThreshold=0>")
          .doesNotContain("-Xms", "PreTouch");
      assertThat(serve(variable, "-Dx=y")).contains(FIRST_HEAP);
    }
  }

  /// A quarter of a small container is less than the first heap would be.
  @Test
  void aServiceWithLittleMemoryLeavesItsHeapToJava() throws Exception {
    markBuilt();
    heapsGrowTo((512L << 20) - 1);
    assertThat(serve("TRANCHE_JAVA_OPTIONS", ""))
        .contains("<-XX:MaxTenuringThreshold=0>")
        .doesNotContain("-Xms", "PreTouch");

    script(jdk.resolve("bin/java"), "printf '<%s>\\n' \"$@\"; exit 7"); // does not say
    assertThat(serve("TRANCHE_JAVA_OPTIONS", "")).doesNotContain("-Xms", "PreTouch");
  }

  private String serve(String variable, String options) throws Exception {
    Map<String, String> asked = Map.of("TRANCHE_JAVA_HOME", jdk.toString(), variable, options);
    Outcome outcome = launch(project.resolve("tranche"), asked, "serve");
    assertThat(outcome.status()).isEqualTo(7);
    return outcome.out();
  }

  private void heapsGrowTo(long bytes) throws IOException {
    script(
        jdk.resolve("bin/java"),
        """
        case "$*" in *PrintFlagsFinal*)
          [ -z "$JAVA_TOOL_OPTIONS$JDK_JAVA_OPTIONS" ] && echo "  size_t MaxHeapSize = %d {product}"
          exit 0
        esac
        printf '<%%s>\\n' "$@"; exit 7"""
            .formatted(bytes));
  }

  @Test
  void keepsTheWarningAboutTheVectorModuleAndNothingElseToItself() throws Exception {
    markBuilt();
    Files.writeString(
        jdk.resolve("release"), "JAVA_VERSION=\"25.0.3\"\nMODULES=\"jdk.incubator.vector\"\n");
    script(
        jdk.resolve("bin/java"),
        """
        echo 'Picked up JAVA_TOOL_OPTIONS: -Dx=y' >&2
        echo 'WARNING: Using incubator modules: jdk.incubator.vector' >&2
        printf 'WARNING: another\\nhalf a line' >&2""");
    var builder =
        new ProcessBuilder("bash", project.resolve("tranche").toString(), "train", "a.yml");
    builder.environment().put("TRANCHE_JAVA_HOME", jdk.toString());

    // Read to its end: the filter may finish a moment after the program.
    String err = new String(builder.start().getErrorStream().readAllBytes(), UTF_8);

    assertThat(err).isEqualTo("Picked up JAVA_TOOL_OPTIONS: -Dx=y\nWARNING: another\nhalf a line");
  }

  @Test
  void makesTheSameArchiveTwiceThatNeedsNoMavenAndNoSources() throws Exception {
    markBuilt();
    Files.writeString(project.resolve("pom.xml"), "<version>1.2</version>");
    Files.setLastModifiedTime(project.resolve("pom.xml"), FileTime.from(Instant.EPOCH));
    Files.writeString(project.resolve("cli/target/tranche-cli-1.2.jar"), "ours");
    Files.writeString(project.resolve("cli/target/bom.json"), "{}");
    for (String file : List.of("README.md", "LICENSE", "NOTICE", "CHANGELOG.md")) {
      Files.writeString(project.resolve(file), file);
    }
    Files.createDirectories(project.resolve("docs"));
    Files.createDirectories(project.resolve("examples/configs"));
    Path made = project.resolve("target/release/tranche-1.2.tar.gz");
    Outcome unrecorded = launch(project.resolve("tranche"), "release");
    assertThat(unrecorded.status()).isEqualTo(2);
    assertThat(unrecorded.err()).contains("run ./tranche api record 1.2 and commit it");
    Files.writeString(
        Files.createDirectories(project.resolve("api")).resolve("env.txt"), "# 1.2\n");
    assertThat(launch(project.resolve("tranche"), "release").status()).isZero();
    byte[] first = Files.readAllBytes(made);
    Files.setLastModifiedTime(
        project.resolve("README.md"), FileTime.from(Instant.parse("2000-01-01T00:00:00Z")));
    assertThat(launch(project.resolve("tranche"), "release").status()).isZero();
    assertThat(Files.readAllBytes(made)).isEqualTo(first);
    assertThat(Files.readString(Path.of(made + ".sha256"))).endsWith("tranche-1.2.tar.gz\n");

    Path other = Files.createDirectories(folder.resolve("some where"));
    new ProcessBuilder("tar", "-xzf", made.toString(), "-C", other.toString()).start().waitFor();
    Files.delete(tools.resolve("mvn"));
    Path launcher = other.resolve("tranche-1.2/tranche");
    var cache = Map.of("TRANCHE_JAVA_HOME", jdk.toString(), "XDG_CACHE_HOME", folder + "/cache");
    Outcome run = launch(launcher, cache, "data", "check", "a b");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("some where/tranche-1.2/lib/tranche-cli-1.2.jar")
        .contains("<data>\n<check>\n<a b>\n");
    Outcome spark = launch(launcher, cache, "cluster", "up");
    assertThat(spark.status()).isEqualTo(2);
    assertThat(spark.err()).contains("this release has no module cluster");
    for (String verb : List.of("test", "bench", "release", "api", "javadoc", "docs")) {
      Outcome refused = launch(launcher, cache, verb);
      assertThat(refused.status()).isEqualTo(2);
      assertThat(refused.err())
          .contains("tranche %s: expected a clone of the sources".formatted(verb));
    }
  }

  private Path report(String module, String type, String result) throws IOException {
    Path reports = Files.createDirectories(project.resolve(module + "/target/surefire-reports"));
    return Files.writeString(
        reports.resolve("TEST-io.tranche." + type + ".xml"),
        """
        <testsuite name="io.tranche.%s" tests="1" errors="0" skipped="1" failures="0">
          <testcase name="works{Path}[1]" classname="io.tranche.%s" time="0.1">
            %s
          </testcase>
        </testsuite>
        """
            .formatted(type, type, result));
  }

  private Outcome launch(Path launcher, String... arguments) throws Exception {
    return launch(launcher, Map.of("TRANCHE_JAVA_HOME", jdk.toString()), arguments);
  }

  private Outcome launch(Path launcher, Map<String, String> environment, String... arguments)
      throws Exception {
    var command = new java.util.ArrayList<String>(List.of("/usr/bin/env", "bash"));
    command.add(launcher.toString());
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(folder.toFile());
    Path out = folder.resolve("out.txt");
    Path err = folder.resolve("err.txt");
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().remove("JAVA_HOME");
    builder.environment().remove("CI");
    builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
    return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private void markBuilt() throws IOException {
    Path stamp = project.resolve("target/launcher/cli.stamp");
    Files.createDirectories(stamp.getParent());
    Files.writeString(stamp, "");
  }

  private Path jdk(String name, String version) throws IOException {
    Path home = Files.createDirectories(folder.resolve(name));
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/javac"), "exit 0");
    script(home.resolve("bin/java"), "printf '<%s>\\n' \"$CLASSPATH\" \"$@\"; exit 7");
    return home;
  }

  private static void script(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/bash\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
