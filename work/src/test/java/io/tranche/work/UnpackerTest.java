package io.tranche.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class UnpackerTest {

  private static final byte[] PACKED =
      new Packer()
          .put("SH600000")
          .put(7)
          .put(-0.0)
          .put(true)
          .put("content".getBytes(StandardCharsets.UTF_8))
          .bytes();

  @Test
  void readsWhatWasPacked() {
    var packed = new Unpacker(PACKED);

    assertThat(packed.nextText()).isEqualTo("SH600000");
    assertThat(packed.nextInt()).isEqualTo(7);
    assertThat(packed.nextDouble()).isEqualTo(-0.0);
    assertThat(packed.nextBoolean()).isTrue();
    assertThat(packed.nextBytes()).asString(StandardCharsets.UTF_8).isEqualTo("content");
    packed.end();
  }

  @Test
  void whatIsCutOffIsNotBelieved() {
    for (int length = 0; length < PACKED.length; length++) {
      var packed = new Unpacker(Arrays.copyOf(PACKED, length));

      assertThatThrownBy(
              () -> {
                packed.nextText();
                packed.nextInt();
                packed.nextDouble();
                packed.nextBoolean();
                packed.nextBytes();
              })
          .as("%d bytes", length)
          .isInstanceOf(WorkException.class);
    }
  }

  @Test
  void countsAndLengthsThatCannotBeAllocateNothing() {
    byte[] many = new Packer().put(Integer.MAX_VALUE).put(0).bytes();

    assertThatThrownBy(() -> new Unpacker(many).nextBytes()).isInstanceOf(WorkException.class);
    assertThatThrownBy(() -> new Unpacker(many).nextCount(4)).isInstanceOf(WorkException.class);
    assertThatThrownBy(() -> new Unpacker(new Packer().put(-1).bytes()).nextBytes())
        .isInstanceOf(WorkException.class);
    assertThatThrownBy(() -> new Unpacker(many).end())
        .isInstanceOf(WorkException.class)
        .hasMessage("nothing must follow, was 8 bytes");
  }
}
