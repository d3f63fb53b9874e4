package io.tranche.policy.weights;

import java.io.IOException;
import java.nio.file.Path;

/// Opens weight files by their contents; file names do not matter.
public final class WeightFiles {

  private WeightFiles() {}

  /// Reads the policy's tensors from a torch `.pth` file, a checkpoint of Qlib's trainer or a
  /// safetensors file.
  ///
  /// @throws CheckpointException if the file is missing, damaged or of another kind
  public static StateDict read(Path file) {
    try {
      return SafeTensors.isLikely(file)
          ? SafeTensors.read(file).tensors()
          : TorchFile.readPolicy(file);
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }
}
