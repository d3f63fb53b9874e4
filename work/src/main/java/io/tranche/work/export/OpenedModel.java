package io.tranche.work.export;

import io.tranche.config.ConfigException;
import io.tranche.files.StagedFolder;
import io.tranche.market.DataException;
import io.tranche.run.RunParts;
import io.tranche.runtime.ModelBundle;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A model to export, and the data it was trained on.
public final class OpenedModel implements AutoCloseable {

  private final ModelBundle bundle;
  private final @Nullable RunParts<?> parts;
  private final @Nullable Path made;
  private @Nullable ValidationOrders orders;

  /// @param parts its run, closed at the end; null if the configuration does not say what was
  ///   trained on
  /// @param made a temporary folder, deleted at the end; null if there is none
  OpenedModel(ModelBundle bundle, @Nullable RunParts<?> parts, @Nullable Path made) {
    this.bundle = bundle;
    this.parts = parts;
    this.made = made;
  }

  /// Returns the bundle in float32, without reference statistics.
  public ModelBundle bundle() {
    return bundle;
  }

  /// Whether the training and validation orders are known.
  public boolean hasOrders() {
    return parts != null;
  }

  /// Returns the validation orders, which are closed together with the model.
  ///
  /// @throws ConfigException if the configuration has none
  /// @throws DataException if they are missing or wrong
  public ValidationOrders orders() {
    if (parts == null) {
      throw new ConfigException(
          "--config", "a training configuration, for its validation orders", "another");
    }
    if (orders == null) {
      orders = ValidationOrders.of(parts);
    }
    return orders;
  }

  @Override
  public void close() {
    if (orders != null) {
      orders.close();
    }
    if (parts != null) {
      parts.close();
    }
    if (made != null) {
      delete(made);
    }
  }

  static void delete(Path folder) {
    try {
      StagedFolder.delete(folder);
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }
}
