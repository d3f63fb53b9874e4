package io.tranche.testkit;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/// Handles of files and sockets.
public final class Handles {

  private static final int SPARE = 200;
  private static final int ELSEWHERE = 4_000;

  private Handles() {}

  /// Returns how many more this process may open, minus a reserve.
  public static int left() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? (int)
            Math.min(
                Integer.MAX_VALUE,
                system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount() - SPARE)
        : ELSEWHERE;
  }
}
