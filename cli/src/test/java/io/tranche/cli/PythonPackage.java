package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Python;
import io.tranche.testkit.Shared;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The package `tranche` of clients/python over the classes under test.
///
/// @param config a small market
record PythonPackage(Path folder, Path launcher, Path config) {

  static PythonPackage in(Path folder) throws IOException {
    Path config =
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
    Path launcher =
        Files.writeString(
            folder.resolve("tranche"),
            "#!/bin/sh\nexport CLASSPATH='%s'\nexec '%s' -Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --add-modules=jdk.incubator.vector %s \"$@\"\n"
                .formatted(
                    classes,
                    Path.of(System.getProperty("java.home"), "bin", "java"),
                    Main.class.getName()));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    return new PythonPackage(folder, launcher, config);
  }

  static Path gymnasium() {
    return Python.withOrSkip("gymnasium", "numpy");
  }

  static Path frames() {
    return Python.withOrSkip("gymnasium", "numpy", "pandas", "pyarrow");
  }

  /// Where data of the market are.
  Path out() {
    return folder.resolve("a run");
  }

  String run(String program, String... arguments) throws IOException, InterruptedException {
    return run(gymnasium(), program, arguments);
  }

  String run(Path interpreter, String program, String... arguments)
      throws IOException, InterruptedException {
    return Python.run(interpreter, preamble() + program, arguments);
  }

  /// Runs a program of clients/python/tests, in a folder of its own.
  String runFile(Path interpreter, String name, String... arguments)
      throws IOException, InterruptedException {
    return run(
        interpreter,
        """
        import runpy
        os.chdir(%s)
        os.environ["OMP_NUM_THREADS"] = "1"
        tests = os.path.join(sys.path[0], "tests")
        sys.path.insert(0, tests)
        runpy.run_path(os.path.join(tests, %s), run_name="__main__")
        """
            .formatted(quoted(folder.toString()), quoted(name)),
        arguments);
  }

  String preamble() {
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
}
