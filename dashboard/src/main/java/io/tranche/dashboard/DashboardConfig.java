package io.tranche.dashboard;

import io.tranche.dashboard.http.WebServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a dashboard shows, and where.
///
/// @param runs the folder of all runs, or one run
/// @param service the base URL of a service; null for none
/// @param serviceToken that lets read from the service; null for none
/// @param resume starts a run again in the background, given its folder
/// @param defects receives the trace of an exception that nobody expected
public record DashboardConfig(
    Path runs,
    WebServer.Settings http,
    @Nullable URI service,
    @Nullable String serviceToken,
    Consumer<Path> resume,
    Consumer<String> defects) {

  @Override
  public String toString() {
    return "dashboard of " + runs; // without the token
  }
}
