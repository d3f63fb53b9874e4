package io.tranche.serving.model;

import io.tranche.runtime.LoadedModel;
import java.util.concurrent.atomic.AtomicInteger;

/// A model that is loaded, and how it fares.
///
/// @param name `name@version`
/// @param openings how many orders of it are being opened
public record ServedModel(
    String name,
    LoadedModel model,
    ModelHealth health,
    DriftMonitor drift,
    AtomicInteger openings) {}
