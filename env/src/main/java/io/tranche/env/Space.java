package io.tranche.env;

/// The set of values an observation or action may take.
public interface Space {

  /// @throws SpaceException naming the key, the bound and the value
  void validate(Value value);

  /// @throws SpaceException naming the bound and the value
  void validate(Action action);
}
