package io.tranche.serving.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Records that are written together into one segment.
final class JournalBatch {
  final long segment;
  final Set<Long> needed; // older segments that must be kept when this one begins
  final List<byte[]> records = new ArrayList<>();
  long last;

  JournalBatch(long segment, Set<Long> needed) {
    this.segment = segment;
    this.needed = needed;
  }
}
