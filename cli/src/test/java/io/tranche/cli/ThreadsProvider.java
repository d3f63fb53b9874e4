package io.tranche.cli;

import io.tranche.experiment.work.Workplace;
import io.tranche.experiment.work.WorkplaceProvider;
import io.tranche.experiment.work.WorkplaceSettings;
import io.tranche.experiment.work.Workplaces;

/// A cluster for tests: `threads://3` is three threads of this process.
public final class ThreadsProvider implements WorkplaceProvider {

  private static final String SCHEME = "threads://";

  @Override
  public boolean serves(String address) {
    return address.startsWith(SCHEME);
  }

  @Override
  public Workplace open(String address, WorkplaceSettings settings) {
    int threads = Integer.parseInt(address.substring(SCHEME.length()));
    return Workplaces.open(Workplaces.LOCAL, WorkplaceSettings.ofThreads(threads));
  }
}
