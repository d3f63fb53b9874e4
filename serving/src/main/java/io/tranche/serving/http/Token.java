package io.tranche.serving.http;

import io.tranche.config.ConfigException;
import io.tranche.files.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// A secret that callers send as `Authorization: Bearer ...`. Never printed.
public final class Token {

  private static final String SCHEME = "Bearer ";
  private static final int MIN_LENGTH = 16;
  private static final int MAX_LENGTH = 512;

  /// Compared instead of the texts, so that the time of a comparison does not even reveal the
  /// length.
  private final byte[] digest;

  /// @throws IllegalArgumentException unless it has 16 to 512 visible ASCII characters
  public Token(String text) {
    if (text.length() < MIN_LENGTH
        || text.length() > MAX_LENGTH
        || !text.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new IllegalArgumentException(
          "token must be %d to %d visible ASCII characters, was %d characters"
              .formatted(MIN_LENGTH, MAX_LENGTH, text.length()));
    }
    this.digest = digest(text);
  }

  private Token(byte[] digest) {
    this.digest = digest;
  }

  /// Returns the token with this SHA-256.
  ///
  /// @throws IllegalArgumentException unless it is 64 hexadecimal digits
  static Token ofHash(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    if (bytes.length != 32) {
      throw new IllegalArgumentException("hash must have 64 digits, was " + hex.length());
    }
    return new Token(bytes);
  }

  /// Reads a token from a file of one line.
  ///
  /// @throws ConfigException if the file contains no token
  public static Token read(Path file) {
    try (var in = Files.newInputStream(file)) {
      String text = new String(in.readNBytes(2 * MAX_LENGTH), StandardCharsets.UTF_8).strip();
      return new Token(text);
    } catch (IOException e) {
      throw new ConfigException(file.toString(), "a file that can be read", e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          file.toString(), "a token", "none: " + String.valueOf(e.getMessage()));
    }
  }

  /// Whether a request has this token.
  ///
  /// @param authorization the header's value
  public boolean isShown(@Nullable String authorization) {
    return authorization != null
        && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        && MessageDigest.isEqual(digest, digest(authorization.substring(SCHEME.length()).strip()));
  }

  private static byte[] digest(String text) {
    return Sha256.bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return "a token";
  }
}
