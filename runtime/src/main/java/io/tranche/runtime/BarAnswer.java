package io.tranche.runtime;

/// What happened to a bar.
public enum BarAnswer {
  /// It is now the day's newest bar. Ticks that it skipped count as missing.
  TAKEN,
  /// The same bar had arrived before. Nothing changed.
  REPEATED,
  /// A bar with other values had arrived for its tick, and decisions may be based on it. Nothing
  /// changed.
  CONTRADICTING,
  /// Its tick already counts as missing, and decisions may be based on that. Nothing changed.
  LATE,
  /// The session has no tick at that time of the day. Nothing changed.
  OUTSIDE
}
