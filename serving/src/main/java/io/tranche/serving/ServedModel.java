package io.tranche.serving;

import io.tranche.runtime.LoadedModel;
import java.util.concurrent.atomic.AtomicInteger;

/// A model that is loaded, and how it fares.
///
/// @param name `name@version`
/// @param openings how many orders of it are being opened
record ServedModel(
    String name, LoadedModel model, Health health, Drift drift, AtomicInteger openings) {}
