package io.tranche.cli.option;

import io.tranche.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/// Jars with the user's own components; the same option for every verb that uses components.
public final class Plugins {

  @Option(
      names = "--plugins",
      paramLabel = "PATH",
      description = "A jar with components of your own, or a folder of such jars; may be repeated.")
  private List<Path> paths = new ArrayList<>();

  /// Makes `ServiceLoader` find the jars on this thread.
  public Loaded load() {
    return new Loaded(jars());
  }

  private List<Path> jars() {
    var jars = new ArrayList<Path>();
    for (Path path : paths) {
      if (!Files.isDirectory(path)) {
        jars.add(jar(path));
        continue;
      }
      try (Stream<Path> files = Files.list(path)) {
        files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(jars::add);
      } catch (IOException e) {
        throw new ConfigException("--plugins", "a folder that can be read", path);
      }
    }
    if (!paths.isEmpty() && jars.isEmpty()) {
      throw new ConfigException("--plugins", "a folder with jars", paths);
    }
    return jars;
  }

  private static Path jar(Path path) {
    if (!Files.isRegularFile(path) || !path.toString().endsWith(".jar")) {
      throw new ConfigException("--plugins", "a jar or a folder of jars", path);
    }
    return path;
  }

  /// The jars while they are loaded.
  public static final class Loaded implements AutoCloseable {

    private final List<Path> jars;
    private final Thread thread = Thread.currentThread();
    private final ClassLoader before = thread.getContextClassLoader();
    private final URLClassLoader loader;

    private Loaded(List<Path> jars) {
      this.jars = List.copyOf(jars);
      this.loader = new URLClassLoader(jars.stream().map(Loaded::url).toArray(URL[]::new), before);
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
