package io.tranche.serving.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.tranche.serving.Answer;
import io.tranche.serving.wire.StrictJson;
import java.util.Map;

/// Why a request is answered with an error.
///
/// @param reason one word, for programs
/// @param message for human readers
/// @param headers additional headers of the answer
record Rejection(
    HttpResponseStatus status, String reason, String message, Map<String, String> headers) {

  static final Rejection BODY_TOO_LARGE =
      of(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", "the body is too large");

  static final Rejection OVERLOADED =
      of(HttpResponseStatus.TOO_MANY_REQUESTS, "overloaded", "too many requests are under way");

  static final Rejection DRAINING =
      of(HttpResponseStatus.SERVICE_UNAVAILABLE, "draining", "the service is about to stop");

  static final Rejection LATE =
      of(HttpResponseStatus.GATEWAY_TIMEOUT, "late", "there was no answer in time");

  static final Rejection INTERNAL =
      of(
          HttpResponseStatus.INTERNAL_SERVER_ERROR,
          "internal",
          "a defect of the service; its log has the request id");

  static Rejection of(HttpResponseStatus status, String reason, String message) {
    return new Rejection(status, reason, message, Map.of());
  }

  Rejection with(String header, String value) {
    return new Rejection(status, reason, message, Map.of(header, value));
  }

  static Rejection malformed(String message) {
    return of(HttpResponseStatus.BAD_REQUEST, "malformed", message);
  }

  static Rejection of(Answer.Reason reason, String message) {
    HttpResponseStatus status =
        switch (reason) {
          case INVALID, RISK -> HttpResponseStatus.UNPROCESSABLE_ENTITY;
          case UNKNOWN, UNMATCHED -> HttpResponseStatus.NOT_FOUND;
          case CONFLICT, NOT_DUE, UNCONFIRMED -> HttpResponseStatus.CONFLICT;
          case OVERLOADED -> HttpResponseStatus.TOO_MANY_REQUESTS;
          case UNAVAILABLE -> HttpResponseStatus.SERVICE_UNAVAILABLE;
        };
    return of(status, StrictJson.nameOf(reason), message);
  }
}
