package io.tranche.files;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// A SHA-256 hash: of bytes at once, or of parts that are added one by one.
public final class Sha256 {

  private final MessageDigest digest;

  public Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
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
