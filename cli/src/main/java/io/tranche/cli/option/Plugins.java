package io.tranche.cli.option;

import io.tranche.config.ConfigException;
import io.tranche.config.Installed;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/// Jars with the user's own components; the same option for every verb that uses components.
///
/// Without it, the environment variable `TRANCHE_PLUGINS` names them, as in a project that `tranche
/// new` made.
public final class Plugins {

  @Option(
      names = "--plugins",
      paramLabel = "PATH",
      description =
          "A jar with components of your own, or a folder of such jars; may be repeated (default:"
              + " TRANCHE_PLUGINS of the environment).")
  private List<Path> paths = new ArrayList<>();

  /// Makes `ServiceLoader` find the jars on this thread.
  public Loaded load() {
    return new Loaded(jars());
  }

  private static List<Path> usual() {
    String usual = System.getenv("TRANCHE_PLUGINS");
    return usual == null || usual.isBlank()
        ? List.of()
        : Stream.of(usual.split(File.pathSeparator, -1)).map(Path::of).toList();
  }

  private List<Path> jars() {
    List<Path> named = paths.isEmpty() ? usual() : paths;
    var jars = new ArrayList<Path>();
    for (Path path : named) {
      if (!Files.isDirectory(path)) {
        jars.add(jar(path));
        continue;
      }
      try (Stream<Path> files = Files.list(path)) {
        List<Path> found = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        if (!found.isEmpty() && found.stream().noneMatch(Plugins::hasService)) {
          throw withoutService(path);
        }
        jars.addAll(found);
      } catch (IOException e) {
        throw new ConfigException("--plugins", "a folder that can be read", path);
      }
    }
    if (!named.isEmpty() && jars.isEmpty()) {
      throw new ConfigException("--plugins", "a folder with jars", named);
    }
    return jars;
  }

  private static Path jar(Path path) {
    if (!Files.isRegularFile(path) || !path.toString().endsWith(".jar")) {
      throw new ConfigException("--plugins", "a jar or a folder of jars", path);
    }
    if (!hasService(path)) {
      throw withoutService(path);
    }
    return path;
  }

  private static ConfigException withoutService(Path path) {
    return new ConfigException(
        "--plugins",
        "a jar with a file META-INF/services/io.tranche.config.ComponentProvider (or another"
            + " service of Tranche) that names its provider",
        path + ", which has none");
  }

  private static boolean hasService(Path jar) {
    try (var file = new JarFile(jar.toFile())) {
      return file.stream()
          .anyMatch(entry -> entry.getName().startsWith("META-INF/services/io.tranche."));
    } catch (IOException e) {
      throw new ConfigException("--plugins", "a jar that can be read", jar + ": " + e.getMessage());
    }
  }

  /// The jars while they are loaded.
  public static final class Loaded implements AutoCloseable {

    private final List<Path> jars;
    private final Thread thread = Thread.currentThread();
    private final ClassLoader before = thread.getContextClassLoader();
    private final URLClassLoader loader;

    private Loaded(List<Path> jars) {
      this.jars = List.copyOf(jars);
      this.loader =
          new URLClassLoader(
              Installed.LOADER, jars.stream().map(Loaded::url).toArray(URL[]::new), before);
      thread.setContextClassLoader(loader);
    }

    private static URL url(Path jar) {
      try {
        return jar.toUri().toURL();
      } catch (MalformedURLException e) {
        throw new UncheckedIOException(e);
      }
    }

    public List<Path> jars() {
      return jars;
    }

    @Override
    public void close() {
      thread.setContextClassLoader(before);
      try {
        loader.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
