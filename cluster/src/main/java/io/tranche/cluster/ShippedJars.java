package io.tranche.cluster;

import io.tranche.work.WorkException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The part of our class path that executors need: our own jars and the libraries that Spark lacks.
public final class ShippedJars implements AutoCloseable {

  /// The libraries of ours that the work needs. Whatever else is on the class path is Spark's, or
  /// only the driver needs it.
  private static final Pattern OURS =
      Pattern.compile(
          "(tranche|jackson-(core|databind)-3|snakeyaml-engine|duckdb_jdbc|jspecify).*\\.jar");

  private final List<Path> jars;
  private final @Nullable Path packed;

  private ShippedJars(List<Path> jars, @Nullable Path packed) {
    this.jars = List.copyOf(jars);
    this.packed = packed;
  }

  /// Returns only the plugins, for work in this process.
  static ShippedJars of(List<Path> plugins) {
    return new ShippedJars(plugins.stream().map(Path::toAbsolutePath).toList(), null);
  }

  /// Finds what to ship. Classes that are in folders, as during a build, are packed for it.
  public static ShippedJars ofClassPath(List<Path> plugins) {
    var jars = new ArrayList<Path>();
    Path packed = null;
    for (Path entry : classPath()) {
      if (isOurs(entry) && Files.isRegularFile(entry)) {
        jars.add(entry);
      } else if (isOurs(entry)) {
        packed = packed == null ? Folders.temporary("tranche-jars") : packed;
        jars.add(pack(entry, packed.resolve("classes-" + jars.size() + ".jar")));
      }
    }
    plugins.forEach(plugin -> jars.add(plugin.toAbsolutePath()));
    return new ShippedJars(jars, packed);
  }

  /// Returns the rest of the class path: what makes up an installation of Spark.
  static List<Path> sparkJars() {
    return classPath().stream().filter(entry -> !isOurs(entry)).toList();
  }

  /// Returns the entries of the class path that exist.
  private static List<Path> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> Path.of(entry).toAbsolutePath())
        .filter(Files::exists)
        .toList();
  }

  private static boolean isOurs(Path entry) {
    return Files.isDirectory(entry) || OURS.matcher(entry.getFileName().toString()).matches();
  }

  List<Path> jars() {
    return jars;
  }

  private static Path pack(Path folder, Path jar) {
    try (OutputStream file = Files.newOutputStream(jar);
        var out = new JarOutputStream(file)) {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
                throws IOException {
              String name = folder.relativize(path).toString().replace(File.separatorChar, '/');
              out.putNextEntry(new JarEntry(name));
              Files.copy(path, out);
              out.closeEntry();
              return FileVisitResult.CONTINUE;
            }
          });
      return jar;
    } catch (IOException e) {
      throw new WorkException("the classes in %s cannot be packed".formatted(folder), e);
    }
  }

  @Override
  public void close() {
    if (packed != null) {
      Folders.delete(packed);
    }
  }
}
