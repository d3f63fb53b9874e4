package io.tranche.env;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/// Writes observations as bytes and reads them again, for replay buffers in checkpoints.
///
/// A view of shared data should be written as an identifier, and rebuilt from data that the reader
/// opens itself.
///
/// @param <O> the observation
public interface ObservationCodec<O extends Observation> {

  void write(O observation, DataOutputStream out) throws IOException;

  /// Reads the output of [#write]. Checks sizes against `in.available()` before it allocates.
  ///
  /// @throws IOException if the bytes are not an observation
  O read(DataInputStream in) throws IOException;
}
