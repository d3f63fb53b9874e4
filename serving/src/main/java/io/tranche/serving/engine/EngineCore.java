package io.tranche.serving.engine;

import io.tranche.serving.Counters;
import io.tranche.serving.Observer;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.journal.Journal;
import io.tranche.serving.journal.ServiceState;
import io.tranche.serving.ledger.Ledger;
import io.tranche.serving.model.LoadedModels;
import io.tranche.serving.model.ModelWorkers;
import java.util.function.LongSupplier;

/// The parts that the handlers share.
record EngineCore(
    ServiceConfig config,
    LoadedModels models,
    Ledger ledger,
    ServiceState serviceState,
    Journal journal,
    ModelWorkers workers,
    Counters counters,
    LongSupplier ticker,
    Observer observer) {}
