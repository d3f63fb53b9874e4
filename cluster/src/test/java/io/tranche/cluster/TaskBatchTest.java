package io.tranche.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.work.WorkException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TaskBatchTest {

  @Test
  void splitsAreContiguousEvenAndComplete() {
    for (int pieces = 1; pieces < 20; pieces++) {
      for (int count = 1; count < 10; count++) {
        List<byte[]> all = IntStream.range(0, pieces).mapToObj(i -> new byte[] {(byte) i}).toList();
        var numbers = new ArrayList<Integer>();
        var sizes = new ArrayList<Integer>();

        for (byte[] bytes : TaskBatch.split(all, count)) {
          TaskBatch batch = TaskBatch.read(bytes);
          sizes.add(batch.size());
          for (int i = 0; i < batch.size(); i++) {
            assertThat(batch.content(i)).containsExactly(batch.number(i));
            numbers.add(batch.number(i));
          }
        }

        assertThat(numbers).isEqualTo(IntStream.range(0, pieces).boxed().toList());
        assertThat(sizes).hasSize(Math.min(pieces, count));
        assertThat(sizes.stream().max(Integer::compare).orElseThrow())
            .isLessThanOrEqualTo(sizes.stream().min(Integer::compare).orElseThrow() + 1);
      }
    }
  }

  @Test
  void whatIsCutOffIsNotBelieved() {
    byte[] bytes = TaskBatch.split(List.of(new byte[3], new byte[5]), 1).getFirst();

    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> TaskBatch.read(cut)).isInstanceOf(WorkException.class);
    }
  }
}
