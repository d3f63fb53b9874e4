package io.tranche.config;

import java.util.List;

/// Adds components of third parties; found by `ServiceLoader`. A name that is already taken is an
/// error.
public interface ComponentProvider {

  List<Component<?>> components();
}
