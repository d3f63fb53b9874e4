package io.tranche.config;

import java.util.List;

/// Where third parties add components, found by `ServiceLoader`. It can only add: a name that is
/// already taken is an error.
public interface ComponentProvider {

  List<Component<?>> components();
}
