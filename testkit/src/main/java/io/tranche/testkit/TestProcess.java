package io.tranche.testkit;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Starts small Java processes with the tests' classes on their class path.
public final class TestProcess {

  private TestProcess() {}

  /// Returns the command that runs `main` with everything on this process's class or module path.
  ///
  /// @param module whose tests these are, such as `env`
  public static List<String> command(String module, Class<?> main) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xmx64m",
        "-cp",
        classPath(Shared.root().resolve(module).resolve("target")),
        main.getName());
  }

  private static String classPath(Path target) {
    var path = new ArrayList<String>();
    path.add(target.resolve("test-classes").toString());
    path.add(target.resolve("classes").toString());
    for (String property : List.of("jdk.module.path", "java.class.path")) {
      String entries = System.getProperty(property);
      if (entries != null && !entries.isEmpty()) {
        path.add(entries);
      }
    }
    return String.join(File.pathSeparator, path);
  }
}
