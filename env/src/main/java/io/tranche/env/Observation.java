package io.tranche.env;

import io.tranche.env.space.Value;

/// What a policy sees: a view that costs nothing until its arrays are requested.
public interface Observation {

  /// Returns the observation as Qlib's nested dictionaries of arrays.
  Value toValue();
}
