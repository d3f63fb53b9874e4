package io.tranche.policy.weights;

import io.tranche.market.DataException;
import io.tranche.market.pickle.PickleReader;
import io.tranche.market.pickle.PickleValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Files in the format of `torch.save` and `torch.load(weights_only=True)`, usually named `.pth`.
///
/// Nothing in a file is executed. Elements of half, bfloat16, double and long become float32: the
/// first two exactly, a double rounded to the nearest, a long only if it is exact in float32.
/// Always writes float32.
public final class TorchFile {

  /// A value that is neither plain nor a tensor, such as a time in the logs of Qlib's trainer. Only
  /// its description is kept.
  public record Opaque(String description) {}

  private TorchFile() {}

  /// Reads a state dict, or the policy's state dict from a checkpoint of Qlib's trainer.
  ///
  /// @throws CheckpointException if the file is missing, damaged or of another kind
  public static StateDict readPolicy(Path file) {
    return read(file, TorchValues::policy);
  }

  /// Reads everything in a file: `null`, Boolean, Long, Double, String, List (also for tuples and
  /// sets), Map with keys of String or Long, [Tensor], [StateDict] for a dict that holds only
  /// tensors, and [Opaque] for anything else.
  ///
  /// @throws CheckpointException if the file is missing, damaged or of another kind
  public static @Nullable Object read(Path file) {
    return read(file, TorchValues::plain);
  }

  private interface Step<T extends @Nullable Object> {
    T take(TorchValues values, PickleValue root) throws IOException;
  }

  private static <T extends @Nullable Object> T read(Path file, Step<T> step) {
    try (TorchArchive archive = TorchArchive.open(file)) {
      // A reference to a storage stays as it is until a tensor is made of it.
      PickleValue root =
          PickleReader.read(archive.where("data.pkl"), archive.contents("data.pkl"), id -> id);
      return step.take(new TorchValues(archive), root);
    } catch (DataException e) {
      throw CheckpointException.of(e);
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  /// Writes a state dict; names that share a [Tensor] share one storage.
  ///
  /// @throws io.tranche.market.DataException if the file cannot be written; an existing file is
  ///   kept
  public static void write(Path file, StateDict tensors) {
    TorchArchiveWriter.write(file, tensors);
  }

  /// Writes a dict of values of the types that [#read] returns, except [Opaque]. Integers and any
  /// collections are accepted too.
  ///
  /// A set becomes a list, because torch 2.5 rejects sets with `weights_only`.
  ///
  /// @throws io.tranche.market.DataException if the file cannot be written; an existing file is
  ///   kept
  public static void write(Path file, Map<String, ? extends @Nullable Object> values) {
    TorchArchiveWriter.write(file, values);
  }
}
