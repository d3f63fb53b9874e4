package io.tranche.examples.java;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tranche.work.start.Tranche;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `examples/own-project` is no module of ours. Here it is compiled and run against our jars; the
/// full run does the same with what `mvn install` installs.
class OwnProjectTest {

  private static final String LIBRARIES = System.getProperty("java.class.path");

  @TempDir private Path classes = Path.of("");

  private void compile(String path, boolean hasModules) throws IOException {
    var arguments = new ArrayList<>(List.of("-proc:none", "-d", classes.toString()));
    arguments.addAll(List.of(path, LIBRARIES));
    try (Stream<Path> sources = Files.walk(Path.of("../own-project/src/main/java"))) {
      sources
          .filter(each -> each.toString().endsWith(".java"))
          .filter(each -> hasModules || !each.endsWith("module-info.java"))
          .forEach(each -> arguments.add(each.toString()));
    }
    int status =
        Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(status).isZero();
  }

  private static String run(String... arguments) throws IOException, InterruptedException {
    var command =
        new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  @Test
  void worksOnTheClassPath() throws Exception {
    compile("-cp", false);

    String said =
        run("-cp", classes + System.getProperty("path.separator") + LIBRARIES, "mine.Main");

    assertThat(said).contains("reward 1.0");
  }

  @Test
  void worksAsAModule() throws Exception {
    Path work = Path.of(Tranche.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    assumeTrue(
        ModuleFinder.of(work).find("io.tranche.work").isPresent(),
        "classes were compiled without their descriptors");
    compile("-p", true);

    String said =
        run(
            "-p",
            classes + System.getProperty("path.separator") + LIBRARIES,
            "-m",
            "mine/mine.Main");

    assertThat(said).contains("reward 1.0");
  }
}
