package io.tranche.runtime;

/// What became of a bar.
public enum BarAnswer {
  /// It is the newest of the day now. Ticks that it skipped count as missing.
  TAKEN,
  /// It had come before with the same values. Nothing changed.
  REPEATED,
  /// Another bar had come for its tick, with other values, and decisions may rest on it. Nothing
  /// changed.
  CONTRADICTING,
  /// Its tick counts as missing already, and decisions may rest on that. Nothing changed.
  LATE,
  /// The session has no tick at that time of that day. Nothing changed.
  OUTSIDE
}
