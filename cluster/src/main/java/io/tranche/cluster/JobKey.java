package io.tranche.cluster;

import java.io.Serializable;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Which job something is of, in any process.
///
/// @param kind the name of its kind
/// @param setup the hash of its setup
record JobKey(String kind, String setup) implements Serializable {

  static JobKey of(String kind, byte[] setup) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(setup);
      return new JobKey(kind, HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
