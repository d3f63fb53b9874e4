package io.tranche.work;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PieceCodecTest {

  private static final byte[] WRITTEN =
      PieceCodec.write(
          out -> {
            PieceCodec.writeText("SH600000", out);
            PieceCodec.writeNumber(7, out);
            PieceCodec.writeNumber(Long.MAX_VALUE, out);
            out.writeDouble(-0.0);
            PieceCodec.writeBytes("content".getBytes(UTF_8), out);
          });

  private static List<Object> all(DataInputStream in) throws IOException {
    return List.of(
        PieceCodec.readText(in),
        PieceCodec.readNumber(in),
        PieceCodec.readNumber(in),
        in.readDouble(),
        new String(PieceCodec.readBytes(in), UTF_8));
  }

  @Test
  void readsWhatWasWritten() {
    assertThat(PieceCodec.read("a message", WRITTEN, PieceCodecTest::all))
        .containsExactly("SH600000", 7L, Long.MAX_VALUE, -0.0, "content");
  }

  @Test
  void whatIsCutOffIsNotBelieved() {
    for (int length = 0; length < WRITTEN.length; length++) {
      byte[] cut = Arrays.copyOf(WRITTEN, length);

      assertThatThrownBy(() -> PieceCodec.read("a message", cut, PieceCodecTest::all))
          .as("%d bytes", length)
          .isInstanceOf(WorkException.class)
          .hasMessageStartingWith("a message must be ");
    }
  }

  @Test
  void countsAndLengthsThatCannotBeAllocateNothing() {
    byte[] many = PieceCodec.write(out -> PieceCodec.writeNumber(Integer.MAX_VALUE, out));
    byte[] endless = new byte[20];
    Arrays.fill(endless, (byte) -1);

    for (byte[] bytes : List.of(many, endless)) {
      assertThatThrownBy(() -> PieceCodec.read("a message", bytes, PieceCodec::readBytes))
          .isInstanceOf(WorkException.class);
      assertThatThrownBy(
              () -> PieceCodec.read("a message", bytes, in -> PieceCodec.readCount(in, 4)))
          .isInstanceOf(WorkException.class);
    }
    assertThatThrownBy(() -> PieceCodec.read("a message", new byte[8], _ -> true))
        .isInstanceOf(WorkException.class)
        .hasMessage("a message must be readable, was damaged: 8 bytes too many");
  }
}
