package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/// What a desk gets that embeds the runtime.
class DependencyTest {

  private static final long MOST_BYTES = 5_000_000;

  /// Returns this module and all that it needs at run time, as Maven resolved them.
  private static List<Path> embedded() throws IOException {
    var parts = new ArrayList<Path>();
    parts.add(Path.of("target/classes"));
    for (String part :
        Files.readString(Path.of("target/embedded.txt")).split(File.pathSeparator, -1)) {
      parts.add(Path.of(part.strip()));
    }
    return parts;
  }

  @Test
  void theWholeTreeIsSmallAndHoldsNoNativeFile() throws IOException {
    var sizes = new LinkedHashMap<String, Long>();
    var natives = new ArrayList<String>();
    for (Path part : embedded()) {
      if (Files.isDirectory(part)) {
        addFolder(part, sizes, natives);
      } else {
        sizes.put(part.toString(), Files.size(part));
        try (var jar = new ZipFile(part.toFile())) {
          jar.stream()
              .filter(entry -> isNative(entry.getName()))
              .forEach(entry -> natives.add(part + "!" + entry.getName()));
        }
      }
    }

    assertThat(natives).isEmpty();
    assertThat(sizes.keySet().toString()).contains("policy", "jackson-core");
    long sum = sizes.values().stream().mapToLong(size -> size).sum();
    assertThat(sum).as("%d bytes: %s", sum, sizes).isBetween(500_000L, MOST_BYTES);
  }

  /// Adds a module that is not packed yet, at the size that it will have.
  private static void addFolder(Path folder, Map<String, Long> sizes, List<String> natives)
      throws IOException {
    long[] size = new long[1];
    var counting =
        new OutputStream() {
          @Override
          public void write(int value) {
            size[0]++;
          }
        };
    try (Stream<Path> files = Files.walk(folder).filter(Files::isRegularFile)) {
      for (Path file : files.toList()) {
        if (isNative(file.toString())) {
          natives.add(file.toString());
        }
        try (var deflated = new DeflaterOutputStream(counting)) {
          Files.copy(file, deflated);
        }
      }
    }
    sizes.put(folder.toString(), size[0]);
  }

  private static boolean isNative(String name) {
    return name.matches("(?i).*\\.(so(\\.[0-9.]+)?|dll|dylib|jnilib)");
  }
}
