package io.tranche.env.vector;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/// How values of one type cross between processes.
///
/// @param <T> the type
public interface Codec<T> {

  void write(T value, DataOutputStream out) throws IOException;

  /// Reads what [#write] wrote. Checks sizes against `in.available()` before it allocates.
  ///
  /// @throws IOException if the bytes are none of ours
  T read(DataInputStream in) throws IOException;
}
