package io.tranche.experiment.training;

import org.jspecify.annotations.Nullable;

/// What all pieces of a round share, read once for all of them that one agent does.
final class SharedBytes {

  private byte @Nullable [] read;

  /// Reads `shared` unless it was read last.
  @SuppressWarnings("ReferenceEquality") // all pieces of a round bring the same array
  void read(byte[] shared, Wire.Reading<?> reading) {
    if (read != shared) {
      read = null; // if reading fails, nothing is known
      Wire.read("what all pieces share", shared, reading);
      read = shared;
    }
  }
}
