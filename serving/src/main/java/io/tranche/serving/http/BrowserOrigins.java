package io.tranche.serving.http;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Keeps web pages of others away from a server on this machine: what a browser says about where a
/// request comes from.
public final class BrowserOrigins {

  private static final Pattern LOOPBACK_HOST =
      Pattern.compile("(localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1])(:\\d+)?");

  /// The newest host that was accepted: nearly always the next one.
  private static volatile String accepted = "localhost";

  private BrowserOrigins() {}

  /// Returns why a request is refused, or null.
  ///
  /// @param host the header `Host`
  /// @param origin the header `Origin`
  /// @param site the header `Sec-Fetch-Site`
  /// @param isGuarded whether callers need a token for everything
  public static @Nullable String refusal(
      @Nullable String host, @Nullable String origin, @Nullable String site, boolean isGuarded) {
    // A web page in a local browser must not reach us through a host name of its own.
    if (!isGuarded && host != null && !isLoopback(host)) {
      return "the host must be localhost or 127.0.0.1";
    }
    String own = host == null ? "" : host;
    boolean isForeign =
        (origin != null
                && !origin.equalsIgnoreCase("http://" + own)
                && !origin.equalsIgnoreCase("https://" + own))
            || !(site == null || site.equals("none") || site.equals("same-origin"));
    return isForeign ? "the origin must be the service itself" : null;
  }

  private static boolean isLoopback(String host) {
    if (host.equals(accepted)) {
      return true;
    }
    boolean isOne = LOOPBACK_HOST.matcher(host.toLowerCase(Locale.ROOT)).matches();
    if (isOne) {
      accepted = host;
    }
    return isOne;
  }
}
