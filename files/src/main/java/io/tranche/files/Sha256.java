package io.tranche.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;

/// A SHA-256 hash: of bytes at once, or of parts that are added one by one.
public final class Sha256 {

  private static final int BUFFER = 1 << 20;

  private final MessageDigest digest;

  public Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JVM has it
    }
  }

  /// Returns the hash of `bytes` as 64 hexadecimal digits.
  public static String of(byte[] bytes) {
    return HexFormat.of().formatHex(bytes(bytes));
  }

  /// Returns the hash of `bytes` as 32 bytes.
  public static byte[] bytes(byte[] bytes) {
    return new Sha256().digest.digest(bytes);
  }

  /// Returns the hash of a file's contents, or of the names and contents of all files below a
  /// folder, wherever the folder is.
  public static String ofFiles(Path root) throws IOException {
    var hash = new Sha256();
    var buffer = ByteBuffer.allocate(BUFFER);
    try (Stream<Path> found = Files.walk(root)) {
      for (Path file : found.filter(Files::isRegularFile).sorted().toList()) {
        hash.add(root.relativize(file).toString().replace('\\', '/'));
        try (SeekableByteChannel in = Files.newByteChannel(file)) {
          while (in.read(buffer) >= 0) {
            hash.add(buffer.flip());
            buffer.clear();
          }
        }
      }
    }
    return hash.hex();
  }

  /// Adds a text and a zero byte after it, so that two texts cannot run together.
  public Sha256 add(String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    return this;
  }

  public Sha256 add(ByteBuffer bytes) {
    digest.update(bytes);
    return this;
  }

  /// Returns the hash of all parts as 64 hexadecimal digits, and starts over.
  public String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
