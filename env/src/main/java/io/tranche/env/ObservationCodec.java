package io.tranche.env;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/// Writes observations as bytes and reads them again, for replay buffers in checkpoints.
///
/// A view of shared data is best written as what identifies it, and rebuilt on the data that the
/// reader opens itself.
///
/// @param <O> the observation
public interface ObservationCodec<O extends Observation> {

  void write(O observation, DataOutputStream out) throws IOException;

  /// Reads what [#write] wrote. Checks sizes against `in.available()` before it allocates.
  ///
  /// @throws IOException if the bytes are not an observation
  O read(DataInputStream in) throws IOException;
}
