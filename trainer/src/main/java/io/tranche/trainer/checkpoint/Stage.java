package io.tranche.trainer.checkpoint;

/// What a trainer is doing. Qlib: `current_stage`.
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

  /// Returns Qlib's word for it.
  public String qlibName() {
    return qlibName;
  }

  /// Returns what the names of its metrics begin with.
  public String prefix() {
    return prefix;
  }
}
