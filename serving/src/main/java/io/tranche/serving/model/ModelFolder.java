package io.tranche.serving.model;

import io.tranche.config.ConfigException;
import io.tranche.config.Installed;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Session;
import io.tranche.market.Side;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.BundleSignature;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelSpec;
import io.tranche.serving.ServiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The only folder that models are loaded from. A model's name is the name of a file in it.
public final class ModelFolder {

  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}(@[A-Za-z0-9][A-Za-z0-9._-]{0,49})?");
  private static final int WARM_UP_DAYS = 20;
  private static final LocalDate SOME_DAY = LocalDate.of(2026, 1, 7);

  private final ServiceConfig config;

  public ModelFolder(ServiceConfig config) {
    this.config = config;
  }

  /// Loads a model and warms it up.
  ///
  /// @throws IllegalArgumentException if the name, the file or the model is wrong; the message
  ///   contains no path
  public LoadedModel load(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "model must be letters, digits, '.', '_' and '-', as name@version, was '%s'"
              .formatted(name.length() > 200 ? name.substring(0, 200) : name));
    }
    try {
      Path folder = config.models().toRealPath();
      Path file = folder.resolve(name + BundleFile.SUFFIX).toRealPath();
      if (!folder.equals(file.getParent())) {
        throw new IllegalArgumentException(
            "model %s must be in the model folder, was a link".formatted(name));
      }
      LoadedModel model = open(file);
      requireMarket(name, model.spec());
      warmUp(model);
      return model;
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "model %s must be in the model folder, was not there".formatted(name), e);
    } catch (CheckpointException | ConfigException e) {
      throw unsound(name, e);
    } catch (LinkageError e) {
      throw unsound(name, Installed.anotherVersion("plug-in", e));
    }
  }

  private IllegalArgumentException unsound(String name, RuntimeException e) {
    String message = String.valueOf(e.getMessage()).replace(config.models() + "/", "");
    return new IllegalArgumentException(
        "model %s must be sound, was not: %s".formatted(name, message), e);
  }

  /// Opens a bundle. If it must be signed, exactly the bytes that were verified are read.
  private LoadedModel open(Path file) throws IOException {
    List<PublicKey> signers = config.rules().trust().signers();
    if (signers.isEmpty()) {
      return LoadedModel.open(file);
    }
    byte[] bytes = Files.readAllBytes(file);
    BundleSignature.require(file, bytes, signers);
    Path copy = Files.createTempFile("bundle", BundleFile.SUFFIX);
    try {
      return LoadedModel.open(Files.write(copy, bytes));
    } finally {
      Files.delete(copy);
    }
  }

  private void requireMarket(String name, ModelSpec spec) {
    if (!spec.session().equals(config.session())
        || !spec.sessions().equals(config.sessions())
        || !spec.frequency().equals(config.frequency())) {
      throw new IllegalArgumentException(
          "model %s must be for the market of the service, %s at %s, was for %s at %s"
              .formatted(
                  name,
                  hours(config.session(), config.sessions()),
                  config.frequency(),
                  hours(spec.session(), spec.sessions()),
                  spec.frequency()));
    }
  }

  private static String hours(Session session, Map<String, Session> others) {
    return others.isEmpty()
        ? session.name()
        : "%s with %d instruments of other hours".formatted(session.name(), others.size());
  }

  private static void warmUp(LoadedModel model) {
    ModelSpec spec = model.spec();
    float[] bar = new float[spec.features().fields().size()];
    Arrays.fill(bar, 1);
    var runtime = new DecisionRuntime(model);
    try {
      for (int round = 0; round < WARM_UP_DAYS; round++) {
        LiveDay day = runtime.openDay("warm-up", SOME_DAY, List.of());
        int first = Math.max(0, day.allTicks() - spec.maxSteps() * spec.ticksPerStep());
        var start = BarTime.dateTime(day.time(first));
        var end = BarTime.dateTime(day.time(day.allTicks() - 1) + 1);
        var order =
            day.openOrder("warm-up", round % 2 == 0 ? Side.SELL : Side.BUY, 1_000, start, end);
        for (int tick = 0; tick < day.allTicks(); tick++) {
          if (order.isDue()) {
            order.decideAs(order.step(), order.remaining(), order.advise() / 2);
          }
          day.bar(day.time(tick), bar);
        }
        day.close();
      }
    } catch (DataException _) {
      // Not every model accepts a day of identical bars, and this is only a warm-up.
    }
  }
}
