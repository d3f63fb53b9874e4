package io.tranche.policy.weights;

import io.tranche.market.DataException;
import io.tranche.market.pickle.PickleReader;
import io.tranche.market.pickle.PickleValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Files as `torch.save` writes and `torch.load(weights_only=True)` reads them, usually named
/// `.pth`.
///
/// Nothing in a file is executed. Elements of half, bfloat16, double and long become float32: the
/// first two exactly, a double rounded to the nearest, a long only if a float32 equals it. What is
/// written is always float32.
public final class TorchFile {

  /// Something in a file of torch that is neither plain nor a tensor, such as a time in the logs of
  /// Qlib's trainer: what it was, and no more.
  public record Opaque(String description) {}

  private TorchFile() {}

  /// Reads a state dict, or the policy's out of a checkpoint of Qlib's trainer, whatever else that
  /// holds.
  ///
  /// @throws CheckpointException if the file is missing, damaged or something else
  public static StateDict readPolicy(Path file) {
    return read(file, TorchValues::policy);
  }

  /// Reads everything in a file: `null`, Boolean, Long, Double, String, List (also for tuples and
  /// sets), Map with keys of String or Long, [Tensor], [StateDict] for a dict of tensors alone, and
  /// [Opaque] for what is none of these.
  ///
  /// @throws CheckpointException if the file is missing, damaged or something else
  public static @Nullable Object read(Path file) {
    return read(file, TorchValues::plain);
  }

  private interface Step<T extends @Nullable Object> {
    T take(TorchValues values, PickleValue root) throws IOException;
  }

  private static <T extends @Nullable Object> T read(Path file, Step<T> step) {
    try (TorchArchive archive = TorchArchive.open(file)) {
      // A reference to a storage stands for itself until a tensor is made of it.
      PickleValue root =
          PickleReader.read(archive.where("data.pkl"), archive.contents("data.pkl"), id -> id);
      return step.take(new TorchValues(archive), root);
    } catch (DataException e) {
      throw CheckpointException.of(e);
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  /// Writes a state dict; names of one [Tensor] share one storage.
  ///
  /// @throws io.tranche.market.DataException if the file cannot be written; what was there before
  ///   is kept
  public static void write(Path file, StateDict tensors) {
    TorchArchiveWriter.write(file, tensors);
  }

  /// Writes a dict of what [#read] returns, [Opaque] excepted; Integer and every kind of collection
  /// are taken too.
  ///
  /// A set becomes a list, because `weights_only` of torch 2.5 knows no sets.
  ///
  /// @throws io.tranche.market.DataException if the file cannot be written; what was there before
  ///   is kept
  public static void write(Path file, Map<String, ? extends @Nullable Object> values) {
    TorchArchiveWriter.write(file, values);
  }
}
