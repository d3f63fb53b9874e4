package io.tranche.serving.model;

import io.tranche.runtime.LoadedModel;
import java.util.concurrent.atomic.AtomicInteger;

/// A loaded model and how well it does.
///
/// @param name `name@version`
/// @param openings how many of its orders are being opened now
public record ServedModel(
    String name,
    LoadedModel model,
    ModelHealth health,
    DriftMonitor drift,
    AtomicInteger openings) {}
