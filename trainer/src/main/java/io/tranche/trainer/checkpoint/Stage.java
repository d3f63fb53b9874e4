package io.tranche.trainer.checkpoint;

/// The activity of a trainer. Qlib: `current_stage`.
public enum Stage {
  TRAIN("train", ""),
  VALIDATE("val", "val/"),
  TEST("test", "");

  private final String qlibName;
  private final String prefix;

  Stage(String qlibName, String prefix) {
    this.qlibName = qlibName;
    this.prefix = prefix;
  }

  /// Returns Qlib's name for it.
  public String qlibName() {
    return qlibName;
  }

  /// Returns the prefix of the names of its metrics.
  public String prefix() {
    return prefix;
  }
}
