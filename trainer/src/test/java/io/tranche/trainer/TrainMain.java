package io.tranche.trainer;

import io.tranche.env.ParallelFor;
import io.tranche.policy.learn.Algorithm;
import io.tranche.trainer.Walk.Seen;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// A run in its own process: prints a line in the validation of its fourth iteration, and waits
/// there to be killed.
final class TrainMain {

  private TrainMain() {}

  public static void main(String[] arguments) {
    Path folder = Path.of(arguments[1]);
    var callbacks = new ArrayList<>(Runs.callbacks(folder));
    callbacks.add(
        (hook, trainer) -> {
          if (hook == Hook.VALIDATE_END && trainer.iterations() == 3) {
            System.out.println("validating after 3");
            while (true) {
              LockSupport.park();
            }
          }
        });
    try (var parallel = new ParallelFor(1)) {
      Algorithm<Seen> algorithm =
          arguments[0].equals("ppo") ? Runs.ppo(parallel) : new Remembering();
      new Trainer(Runs.config(Integer.parseInt(arguments[2]), 1), callbacks, List.of())
          .fit(Runs.vessel(algorithm));
    }
  }
}
