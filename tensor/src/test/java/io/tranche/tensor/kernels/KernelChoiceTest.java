package io.tranche.tensor.kernels;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import org.junit.jupiter.api.Test;

class KernelChoiceTest {

  @Test
  void takesTheKernelsAskedFor() {
    assertThat(KernelChoice.choose("scalar")).isInstanceOf(ScalarKernels.class);
    assertThat(KernelChoice.choose("vector")).isInstanceOf(VectorKernels.class);
  }

  @Test
  void saysWhichKernelsThereAre() {
    assertThatThrownBy(() -> KernelChoice.choose("fast"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("tranche.kernels must be one of auto, scalar, vector, was 'fast'");
  }

  @Test
  void fallsBackWithOneWarningWhereTheModuleIsMissing() throws Exception {
    var child =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                String.join(File.pathSeparator, "target/classes", "target/test-classes"),
                WithoutTheModule.class.getName())
            .redirectErrorStream(true)
            .start();

    String said = new String(child.getInputStream().readAllBytes(), UTF_8);

    assertThat(child.waitFor()).as(said).isZero();
    assertThat(said).containsOnlyOnce("Slow scalar kernels").contains("ScalarKernels 11.0");
  }

  /// Runs in a JVM of its own.
  static final class WithoutTheModule {
    private WithoutTheModule() {}

    public static void main(String[] args) {
      float[] y = {1};
      Kernels.best().axpy(1, 2, new float[] {5}, 0, y, 0);
      System.out.println(Kernels.best().getClass().getSimpleName() + " " + y[0]);
    }
  }
}
