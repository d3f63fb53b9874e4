package io.tranche.testkit;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Where the classes of a module's tests are, for processes that a test starts.
public final class TestClassPath {

  private TestClassPath() {}

  /// Returns a class path of everything that this process knows, however the tests themselves run.
  ///
  /// @param module whose tests these are, such as `env`
  public static String of(String module) {
    var path = new ArrayList<String>();
    Path target = Shared.root().resolve(module).resolve("target");
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
