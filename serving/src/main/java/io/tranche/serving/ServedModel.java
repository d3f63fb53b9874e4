package io.tranche.serving;

import io.tranche.runtime.LoadedModel;
import java.util.concurrent.atomic.AtomicInteger;

/// A model that is loaded, and how it fares.
///
/// @param name `name@version`
/// @param orders how many orders of days that have not ended are its own
record ServedModel(
    String name, LoadedModel model, Health health, Drift drift, AtomicInteger orders) {}
