package io.tranche.runtime;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tranche.config.ConfigException;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import io.tranche.policy.weights.CheckpointException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/// The signature of a bundle (Ed25519), in a file beside it: whoever loads the bundle knows who made
/// it and that no byte has changed since.
public final class BundleSignature {

  /// What is added to the name of the bundle.
  public static final String SUFFIX = ".sig";

  private static final String ALGORITHM = "Ed25519";
  private static final String PRIVATE = "PRIVATE KEY";
  private static final String PUBLIC = "PUBLIC KEY";

  private BundleSignature() {}

  /// Signs a bundle.
  ///
  /// @return the file of the signature
  /// @throws CheckpointException if there is no bundle
  /// @throws DataException if the signature cannot be written
  public static Path sign(Path bundle, PrivateKey key) {
    Path file = fileOf(bundle);
    byte[] signed;
    try {
      var signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key);
      signature.update(Files.readAllBytes(bundle));
      signed = signature.sign();
    } catch (IOException e) {
      throw CheckpointException.unreadable(bundle, e);
    } catch (GeneralSecurityException e) {
      throw new ConfigException("key", "an Ed25519 key", e.getMessage());
    }
    try {
      String line = Base64.getEncoder().encodeToString(signed) + "\n";
      PendingFile.write(file, path -> Files.writeString(path, line));
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
    return file;
  }

  /// Returns where the signature of a bundle is.
  public static Path fileOf(Path bundle) {
    return bundle.resolveSibling(bundle.getFileName() + SUFFIX);
  }

  /// @param bytes of the bundle
  /// @param signers whose signature counts
  /// @throws CheckpointException unless one of them has signed these bytes
  public static void require(Path bundle, byte[] bytes, List<PublicKey> signers) {
    Path file = fileOf(bundle);
    byte[] signed;
    try {
      signed = Base64.getDecoder().decode(Files.readString(file, US_ASCII).strip());
    } catch (IOException | IllegalArgumentException _) {
      throw new CheckpointException(
          bundle.toString(), "a signature in " + file.getFileName(), "none");
    }
    for (PublicKey each : signers) {
      try {
        var signature = Signature.getInstance(ALGORITHM);
        signature.initVerify(each);
        signature.update(bytes);
        if (signature.verify(signed)) {
          return;
        }
      } catch (GeneralSecurityException _) {
        // Not even a signature: as one of nobody.
      }
    }
    throw new CheckpointException(
        bundle.toString(),
        "a signature by one of %d signers".formatted(signers.size()),
        "one of nobody known, or of another file");
  }

  /// Makes a pair of keys: `NAME.pem`, which only its owner may read, and `NAME.pub.pem`.
  ///
  /// @throws DataException if a file exists or cannot be written
  public static void newKeys(Path name) {
    Path secret = name.resolveSibling(name.getFileName() + ".pem");
    Path open = name.resolveSibling(name.getFileName() + ".pub.pem");
    try {
      var pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      boolean isPosix = secret.getFileSystem().supportedFileAttributeViews().contains("posix");
      var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
      if (isPosix) {
        Files.createFile(secret, mode);
      } else {
        Files.createFile(secret);
      }
      Files.writeString(secret, pem(PRIVATE, pair.getPrivate().getEncoded()));
      Files.writeString(open, pem(PUBLIC, pair.getPublic().getEncoded()));
    } catch (IOException e) {
      throw DataException.unwritable(secret, e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes), kind);
  }

  /// @throws ConfigException if the file has no public Ed25519 key
  public static PublicKey publicKey(Path file) {
    byte[] bytes = bytes(file, PUBLIC);
    try {
      return KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(bytes));
    } catch (GeneralSecurityException e) {
      throw new ConfigException(file.toString(), "a public Ed25519 key in PEM", e.getMessage());
    }
  }

  /// @throws ConfigException if the file has no private Ed25519 key
  public static PrivateKey privateKey(Path file) {
    byte[] bytes = bytes(file, PRIVATE);
    try {
      return KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(bytes));
    } catch (GeneralSecurityException _) {
      throw new ConfigException(file.toString(), "a private Ed25519 key in PEM", "something else");
    }
  }

  private static byte[] bytes(Path file, String kind) {
    String begin = "-----BEGIN %s-----".formatted(kind);
    String end = "-----END %s-----".formatted(kind);
    try {
      String text = Files.readString(file, US_ASCII).strip();
      if (text.startsWith(begin) && text.endsWith(end)) {
        String inner = text.substring(begin.length(), text.length() - end.length());
        return Base64.getMimeDecoder().decode(inner);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new ConfigException(file.toString(), "a key in PEM", e.getMessage());
    }
    throw new ConfigException(file.toString(), "a %s in PEM".formatted(kind), "something else");
  }
}
