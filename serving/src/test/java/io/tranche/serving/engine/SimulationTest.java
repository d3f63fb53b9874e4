package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.runtime.LoadedModel;
import io.tranche.serving.TestModels;
import io.tranche.serving.engine.Simulation.Mutation;
import io.tranche.testkit.Cases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Schedules of a simulated service with faults, each given by its seed.
class SimulationTest {

  @TempDir Path folder;

  private LoadedModel model() throws IOException {
    Path models = Files.createDirectories(folder.resolve("models"));
    TestModels.write(models, "demo@1", 1);
    return LoadedModel.open(models.resolve("demo@1.tranche"));
  }

  /// Memory as a disk, where there is one: a schedule forces files often.
  private static Path disk() throws IOException {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory)
        ? Files.createTempDirectory(memory, "simulation")
        : Files.createTempDirectory("simulation");
  }

  /// Returns what a schedule violates; null for nothing.
  private static @Nullable String violation(long seed, Mutation mutation, LoadedModel model)
      throws IOException {
    Path where = disk();
    try {
      var simulation = new Simulation(seed, where, mutation, model);
      simulation.run();
      assertThat(simulation.requests).isGreaterThanOrEqualTo(200);
      assertThat(simulation.faults).isGreaterThanOrEqualTo(5);
      return null;
    } catch (RuntimeException e) {
      return e.toString().replace(where.toString(), "");
    } finally {
      delete(where);
    }
  }

  private static void delete(Path where) throws IOException {
    try (var walk = Files.walk(where)) {
      for (Path file : walk.toList().reversed()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void everyScheduleKeepsItsPromises() throws IOException {
    LoadedModel model = model();
    int lanes = Cases.count(1, Runtime.getRuntime().availableProcessors());
    IntStream.range(0, lanes).parallel().forEach(lane -> schedules(lane, lanes, model));
  }

  private static void schedules(int lane, int lanes, LoadedModel model) {
    Cases.forAll(
        Cases.count(1_000, 100_000 / lanes + 1),
        random -> {
          long seed = random.nextLong() + lane;
          try {
            String violation = violation(seed, Mutation.NONE, model);
            assertThat(violation).as("seed %d", seed).isNull();
            if (random.nextInt(100) == 0) {
              assertThat(violation(seed, Mutation.NONE, model)).isNull();
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @ParameterizedTest
  @EnumSource(value = Mutation.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void whatIsBrokenOnPurposeIsFound(Mutation mutation) throws IOException {
    LoadedModel model = model();
    String found = null;
    for (long seed = 0; seed < 300 && found == null; seed++) {
      found = violation(seed, mutation, model);
      if (found != null) {
        assertThat(violation(seed, mutation, model)).isEqualTo(found); // the seed reproduces it
      }
    }
    assertThat(found).isNotNull();
  }
}
