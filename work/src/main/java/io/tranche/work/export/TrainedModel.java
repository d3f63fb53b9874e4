package io.tranche.work.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.files.Sha256;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.QlibData;
import io.tranche.run.RunParts;
import io.tranche.runtime.ModelSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a configuration says about the model that was trained with it. Closing it closes its run.
///
/// @param parts the run over all its data; null if the configuration does not say what was trained
///   on
/// @param orders the training orders; empty without a run
record TrainedModel(ModelSpec spec, @Nullable RunParts<?> parts, List<Order> orders)
    implements AutoCloseable {

  TrainedModel {
    orders = List.copyOf(orders);
  }

  @Nullable LocalDate firstDay() {
    return orders.stream().map(Order::date).min(LocalDate::compareTo).orElse(null);
  }

  @Nullable LocalDate lastDay() {
    return orders.stream().map(Order::date).max(LocalDate::compareTo).orElse(null);
  }

  /// Returns the digest of all orders, in their order; null without a run.
  @Nullable String ordersSha256() {
    if (parts == null) {
      return null;
    }
    var text = new StringBuilder();
    orders.forEach(order -> text.append(order).append('\n'));
    return Sha256.of(text.toString().getBytes(UTF_8));
  }

  /// Returns the digest of how the bars were made, or, if they do not say, of their files; null
  /// without a run.
  ///
  /// @throws DataException if the files cannot be read
  @Nullable String dataSha256() {
    if (parts == null) {
      return null;
    }
    String origin = parts.data().origin();
    if (origin != null) {
      return Sha256.of(origin.getBytes(UTF_8));
    }
    Path files =
        switch (parts.data().settings()) {
          case BarData data -> data.bars();
          case QlibData data -> data.featureRoot();
        };
    try {
      return files == null ? null : Sha256.ofFiles(files);
    } catch (IOException | UncheckedIOException e) {
      throw new DataException(files.toString(), "files that can be read", e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    if (parts != null) {
      parts.close();
    }
  }
}
