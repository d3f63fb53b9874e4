package io.tranche.benchmarks.serving;

import java.nio.ByteBuffer;

/// The requests of a load, and the expected answers.
interface Requests {

  /// The verdict on an answer.
  enum Verdict {
    RIGHT,
    /// In time, but TWAP's decision instead of the model's.
    FALLBACK,
    /// A refusal, or an unexpected answer.
    WRONG
  }

  /// Returns the number of a request's connection: requests with the same number use the same
  /// connection, in order.
  int lane(long number);

  /// Writes a whole HTTP request.
  void write(long number, ByteBuffer to);

  /// @param body its content, from position to limit
  Verdict judge(long number, int status, ByteBuffer body);

  /// Returns how many requests must be answered before the first of these makes sense.
  default int preludeSize() {
    return 0;
  }

  /// Returns those requests.
  default Requests prelude() {
    return this;
  }

  /// Returns requests that make sense to a server that some of these have not reached.
  default Requests afresh() {
    return this;
  }
}
