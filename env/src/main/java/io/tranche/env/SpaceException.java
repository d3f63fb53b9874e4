package io.tranche.env;

/// A value lies outside its space. Names the key, the bound and the value. Qlib:
/// `GymSpaceValidationError`.
public final class SpaceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public SpaceException(String message) {
    super(message);
  }

  /// @param message which part of the sample failed; the cause says why
  public SpaceException(String message, SpaceException cause) {
    super(message + " " + cause.getMessage(), cause);
  }
}
