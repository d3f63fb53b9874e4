package io.tranche.tensor.kernels;

import java.lang.System.Logger.Level;

/// Chooses the kernels once and logs the choice in one line.
final class KernelChoice {

  static final Kernels INSTANCE = choose(System.getProperty("tranche.kernels", "auto"));

  private KernelChoice() {}

  static Kernels choose(String asked) {
    return switch (asked) {
      case "scalar" -> new ScalarKernels();
      case "auto", "vector" -> vectorOrScalar(asked);
      default ->
          throw new IllegalArgumentException(
              "tranche.kernels must be one of auto, scalar, vector, was '" + asked + "'");
    };
  }

  private static Kernels vectorOrScalar(String asked) {
    var log = System.getLogger(Kernels.class.getName());
    // Looks for the module because a class from a missing module fails only on first use.
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
      log.log(
          Level.WARNING,
          "Slow scalar kernels: start the JVM with --add-modules jdk.incubator.vector");
      return new ScalarKernels();
    }
    if (asked.equals("auto") && !VectorKernels.isWorthwhile()) {
      log.log(Level.WARNING, "Slow scalar kernels: this CPU has no 256-bit vectors");
      return new ScalarKernels();
    }
    log.log(Level.DEBUG, "Vector kernels");
    return new VectorKernels();
  }
}
