package io.tranche.cluster;

import io.tranche.files.Sha256;
import java.io.Serializable;

/// Which job something is of, in any process.
///
/// @param kind the name of its kind
/// @param setup the hash of its setup
record JobKey(String kind, String setup) implements Serializable {

  static JobKey of(String kind, byte[] setup) {
    return new JobKey(kind, Sha256.of(setup));
  }
}
