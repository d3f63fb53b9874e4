package io.tranche.serving.engine;

import io.tranche.runtime.LoadedModel;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.journal.JournalFile;
import io.tranche.serving.model.ModelFolder;
import io.tranche.serving.model.ModelWorker;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/// Parts of a service that tests replace.
///
/// @param wall the wall clock
/// @param loader loads a model by name
/// @param isStepped whether there are no threads: everything waits for [Engine#step]
record EngineParts(
    LongSupplier ticker,
    JournalFile.Opener opener,
    ModelWorker.Interference interference,
    InstantSource wall,
    BiFunction<ServiceConfig, String, LoadedModel> loader,
    boolean isStepped) {
  static final EngineParts REAL =
      new EngineParts(System::nanoTime, JournalFile::open, ModelWorker.Interference.NONE);

  EngineParts(
      LongSupplier ticker, JournalFile.Opener opener, ModelWorker.Interference interference) {
    this(ticker, opener, interference, InstantSource.system());
  }

  EngineParts(
      LongSupplier ticker,
      JournalFile.Opener opener,
      ModelWorker.Interference interference,
      InstantSource wall) {
    this(
        ticker,
        opener,
        interference,
        wall,
        (config, name) -> new ModelFolder(config).load(name),
        false);
  }

  /// Returns what runs the tasks of a thread, one after another.
  ExecutorService executor(String name) {
    return isStepped
        ? new CallingThread()
        : Executors.newSingleThreadExecutor(Thread.ofPlatform().name(name).daemon().factory());
  }
}
