package io.tranche.serving.http;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.tranche.serving.http.ServiceLog.Level;
import io.tranche.serving.http.Users.Role;
import org.jspecify.annotations.Nullable;

/// Says who calls, and whether they may. Tokens may change at any time.
final class Authority {

  private final HttpConfig config;
  private final ServiceLog log;
  private volatile boolean isGuarded;

  Authority(HttpConfig config, ServiceLog log) {
    this.config = config;
    this.log = log;
    this.isGuarded = !config.isLoopback() || config.users().has(Role.CLIENT);
  }

  /// Whether callers need a token for everything.
  boolean isGuarded() {
    return isGuarded;
  }

  /// Returns whose token it is; null for nobody's.
  Users.@Nullable User user(@Nullable String authorization) {
    config.users().refresh(this::usersChanged);
    return config.users().find(authorization);
  }

  /// Returns why a user may not call an endpoint, or null.
  @Nullable Rejection authorise(Users.@Nullable User user, Endpoint endpoint) {
    Role needed =
        switch (endpoint.access()) {
          case ANYBODY -> null;
          case CLIENT ->
              !isGuarded && !(user != null && user.role() == Role.READER)
                  ? null
                  : endpoint.method().equals(HttpMethod.GET) ? Role.READER : Role.CLIENT;
          case RISK -> Role.RISK;
          case OPERATOR -> Role.OPERATOR;
        };
    if (needed == null) {
      return null;
    }
    if (user == null && needed != Role.READER && needed != Role.CLIENT && isWithoutUsers()) {
      return Rejection.of(
          HttpResponseStatus.FORBIDDEN, "forbidden", "the service was started without a token");
    }
    if (user == null) {
      return Rejection.of(HttpResponseStatus.UNAUTHORIZED, "unauthorised", "the token is wrong")
          .with("www-authenticate", "Bearer");
    }
    boolean isAllowed =
        needed == Role.READER || user.role() == needed || user.role() == Role.OPERATOR;
    return isAllowed
        ? null
        : Rejection.of(
            HttpResponseStatus.FORBIDDEN,
            "forbidden",
            "the token must be one of %s, was one of %s"
                .formatted(word(needed), word(user.role())));
  }

  private void usersChanged(String message) {
    log.tell(Level.WARN, "tokens", "message", message);
    isGuarded |= config.users().has(Role.CLIENT); // and stays so if the last client goes
  }

  private boolean isWithoutUsers() {
    return !config.users().has(Role.OPERATOR) && !config.users().has(Role.RISK);
  }

  private static String word(Role role) {
    return switch (role) {
      case READER -> "a reader";
      case CLIENT -> "a client";
      case RISK -> "risk";
      case OPERATOR -> "an operator";
    };
  }
}
