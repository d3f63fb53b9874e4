package io.tranche.market;

import java.io.IOException;

/// Takes the bars of one instrument after another; nothing is seen at the target before [#commit].
public interface BarWriter extends AutoCloseable {

  /// Adds an instrument; all series of one writer share a calendar and fields.
  void write(BarSeries series) throws IOException;

  /// Makes everything written visible at the target, all of it or nothing.
  void commit() throws IOException;

  /// Discards whatever was not committed.
  @Override
  void close() throws IOException;
}
