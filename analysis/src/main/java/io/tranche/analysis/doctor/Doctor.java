package io.tranche.analysis.doctor;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// Finds what is wrong although nothing fails.
public final class Doctor {

  private static final long SMALL_HEAP = 512L << 20;
  private static final long LITTLE_DISK = 2L << 30;

  private Doctor() {}

  /// Looks at a run directory.
  ///
  /// @param now to tell a run that waits from one that works
  /// @throws io.tranche.config.ConfigException if it is none
  public static List<Diagnosis> ofRun(Path folder, Instant now) {
    RunFacts facts = RunFacts.read(folder, now);
    return Stream.of(RunCheck.values())
        .map(check -> check.find(facts))
        .filter(Objects::nonNull)
        .toList();
  }

  /// Looks at what a service answers to `/metrics`.
  public static List<Diagnosis> ofService(String metrics) {
    ServiceFacts facts = ServiceFacts.parse(metrics);
    return Stream.of(ServiceCheck.values())
        .map(check -> check.find(facts))
        .filter(Objects::nonNull)
        .toList();
  }

  /// Looks at the machine.
  ///
  /// @param heap the largest heap, in bytes
  /// @param disk bytes that are free in the current folder
  public static List<Diagnosis> ofMachine(long heap, long disk) {
    var findings = new ArrayList<Diagnosis>();
    if (heap < SMALL_HEAP) {
      findings.add(
          new Diagnosis(
              RunCheck.A_HEAP_THAT_IS_TOO_SMALL.title(),
              "the heap may grow to %d MB".formatted(heap >> 20),
              "the machine or the container has little memory, or -Xmx is small",
              "a larger heap: JAVA_TOOL_OPTIONS=-Xmx2g"));
    }
    if (disk < LITTLE_DISK) {
      findings.add(
          new Diagnosis(
              ServiceCheck.A_DISK_THAT_IS_NEARLY_FULL.title(),
              "%d MB are free here".formatted(disk >> 20),
              "checkpoints, features or journals fill it",
              "checkpoint.keep, or another disk"));
    }
    return findings;
  }
}
