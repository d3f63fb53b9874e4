package io.tranche.market.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// Writes the files of a store one by one, damaged ones too: independent of the writer under test.
final class StoreFiles {

  private final Path root;
  private final String frequency;

  StoreFiles(Path root, String frequency) {
    this.root = root;
    this.frequency = frequency;
  }

  Path calendar(String text) throws IOException {
    return write(
        root.resolve("calendars").resolve(frequency + ".txt"),
        text.getBytes(StandardCharsets.UTF_8));
  }

  Path instruments(String text) throws IOException {
    return write(root.resolve("instruments/all.txt"), text.getBytes(StandardCharsets.UTF_8));
  }

  Path bin(String code, String field, float header, float... values) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4 + 4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putFloat(header);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return bin(code, field, bytes.array());
  }

  Path bin(String code, String field, byte[] bytes) throws IOException {
    String name = field + "." + frequency + ".bin";
    return write(
        root.resolve("features").resolve(code.toLowerCase(Locale.ROOT)).resolve(name), bytes);
  }

  private static Path write(Path file, byte[] bytes) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.write(file, bytes);
  }
}
