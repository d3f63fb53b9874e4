package io.tranche.experiment.decide;

/// Hears what a desk does, as it does it.
public interface DeskListener {

  void decided(Decision decision);

  /// Something was left out. Told once a kind.
  void warned(String warning);
}
