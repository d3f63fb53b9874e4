package io.tranche.market;

import java.io.IOException;

/// Writes bars, one instrument after another. Nothing is visible at the target before [#commit].
public interface BarWriter extends AutoCloseable {

  /// Adds an instrument; all series of one writer share a calendar and fields.
  void write(BarSeries series) throws IOException;

  /// Records the session of an instrument, if the format has a place for it.
  default void record(String instrument, Session session) {}

  /// Makes everything written visible at the target at once.
  void commit() throws IOException;

  /// Discards everything that was not committed.
  @Override
  void close() throws IOException;
}
