package io.tranche.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// A jar that no class path has.
final class PluginJar {

  static final String COMPONENTS = "META-INF/services/io.tranche.config.ComponentProvider";

  private PluginJar() {}

  /// Compiles the sources of examples.
  static Path of(Path folder, String name, Map<String, String> services, String... examples)
      throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes of " + name));
    var arguments =
        new ArrayList<>(
            List.of(
                "-proc:none",
                "-nowarn",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString()));
    for (String example : examples) {
      Path sources = Shared.root().resolve("examples/%s/src/main/java".formatted(example));
      try (Stream<Path> files = Files.walk(sources)) {
        files
            .filter(each -> each.toString().endsWith(".java"))
            .forEach(each -> arguments.add(each.toString()));
      }
    }
    if (examples.length > 0) {
      int status =
          Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
              .run(null, null, null, arguments.toArray(String[]::new));
      assertThat(status).isZero();
    }
    return pack(classes, services, folder.resolve(name));
  }

  /// Packs a folder of classes.
  static Path pack(Path classes, Map<String, String> services, Path made) throws IOException {
    try (var out = new JarOutputStream(Files.newOutputStream(made));
        Stream<Path> files = Files.walk(classes)) {
      for (var service : new TreeMap<>(services).entrySet()) {
        out.putNextEntry(new JarEntry(service.getKey()));
        out.write(service.getValue().getBytes(UTF_8));
      }
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
    return made;
  }
}
