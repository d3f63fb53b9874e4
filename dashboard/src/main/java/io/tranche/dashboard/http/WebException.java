package io.tranche.dashboard.http;

/// A request that is answered with an error.
public final class WebException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;

  private WebException(int status, String message) {
    super(message);
    this.status = status;
  }

  public static WebException malformed(String message) {
    return new WebException(400, message);
  }

  public static WebException forbidden(String message) {
    return new WebException(403, message);
  }

  public static WebException missing(String message) {
    return new WebException(404, message);
  }

  /// What was asked for is there, but not in a state in which it can be done.
  public static WebException conflict(String message) {
    return new WebException(409, message);
  }

  /// The service behind this page does not answer as it should.
  public static WebException beyond(String message) {
    return new WebException(502, message);
  }

  int status() {
    return status;
  }
}
