package io.tranche.serving.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.tranche.serving.Answer;

/// The HTTP status codes of refusals.
final class HttpStatus {

  private HttpStatus() {}

  static HttpResponseStatus of(Answer.Reason reason) {
    return switch (reason) {
      case INVALID -> HttpResponseStatus.UNPROCESSABLE_ENTITY;
      case UNKNOWN -> HttpResponseStatus.NOT_FOUND;
      case CONFLICT, NOT_DUE -> HttpResponseStatus.CONFLICT;
      case OVERLOADED -> HttpResponseStatus.TOO_MANY_REQUESTS;
      case UNAVAILABLE -> HttpResponseStatus.SERVICE_UNAVAILABLE;
    };
  }

  /// Whether the same request may succeed after a second.
  static boolean isPassing(HttpResponseStatus status) {
    return status.equals(HttpResponseStatus.TOO_MANY_REQUESTS)
        || status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE);
  }
}
