package io.tranche.serving;

import io.tranche.runtime.LiveDay;

/// Whether what a model sees and does is like what it was trained on. Bundles without reference
/// statistics have nothing to compare with.
final class Drift {

  void saw(LiveDay day, int from) {}

  void chose(int choice) {}
}
