package io.tranche.cli;

import io.tranche.work.BackendProvider;
import io.tranche.work.BackendSettings;
import io.tranche.work.Backends;
import io.tranche.work.JobBackend;

/// A cluster for tests: `threads://3` is three threads of this process.
public final class ThreadsProvider implements BackendProvider {

  private static final String SCHEME = "threads://";

  @Override
  public boolean serves(String address) {
    return address.startsWith(SCHEME);
  }

  @Override
  public JobBackend open(String address, BackendSettings settings) {
    int threads = Integer.parseInt(address.substring(SCHEME.length()));
    return Backends.open(Backends.LOCAL, BackendSettings.ofThreads(threads));
  }
}
