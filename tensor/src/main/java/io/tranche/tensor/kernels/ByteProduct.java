package io.tranche.tensor.kernels;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// [VectorProduct] for a matrix in bytes, which become floats in registers: the same bits as with
/// float32, from a quarter of the memory.
///
/// As there, every tile is one loop of more than 325 bytecodes.
final class ByteProduct {

  private static final VectorSpecies<Float> FLOATS = VectorKernels.LANES;
  private static final int LANES = FLOATS.length();
  private static final VectorSpecies<Byte> BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(LANES * Byte.SIZE));

  /// Length of the sum computed at a time, so that the rows it reads stay in the cache.
  private static final int DEPTH = 256;

  private static final ScalarKernels REST = new ScalarKernels();

  private ByteProduct() {}

  /// [Kernels#multiplyBytes].
  static void multiply(
      int m,
      int n,
      int k,
      float[] a,
      int aAt,
      int aRow,
      byte[] b,
      int bAt,
      int bRow,
      float[] scales,
      int scalesAt,
      float[] start,
      int startAt,
      int startRow,
      float[] c,
      int cAt,
      int cRow) {
    int whole = n - n % (4 * LANES);
    for (int i = 0; i < m; i++) {
      System.arraycopy(start, startAt + i * startRow, c, cAt + i * cRow, n);
    }
    int wide = m == 1 ? whole - whole % (8 * LANES) : 0;
    for (int j = 0; j < wide; j += 8 * LANES) {
      tile1x8(k, a, aAt, b, bAt + j, bRow, scales, scalesAt + j, c, cAt + j);
    }
    for (int p = 0; p < k; p += DEPTH) {
      int depth = Math.min(k - p, DEPTH);
      for (int j = wide; j < whole; j += 4 * LANES) {
        int bFrom = bAt + p * bRow + j;
        int i = 0;
        for (; i <= m - 4; i += 4) {
          int aFrom = aAt + i * aRow + p;
          int cFrom = cAt + i * cRow + j;
          tile4x2(depth, a, aFrom, aRow, b, bFrom, bRow, scales, scalesAt + j, c, cFrom, cRow);
          tile4x2(
              depth,
              a,
              aFrom,
              aRow,
              b,
              bFrom + 2 * LANES,
              bRow,
              scales,
              scalesAt + j + 2 * LANES,
              c,
              cFrom + 2 * LANES,
              cRow);
        }
        for (; i < m; i++) {
          tile1x4(
              depth,
              a,
              aAt + i * aRow + p,
              b,
              bFrom,
              bRow,
              scales,
              scalesAt + j,
              c,
              cAt + i * cRow + j);
        }
      }
    }
    for (int i = 0; whole < n && i < m; i++) {
      REST.addBytes(
          n - whole,
          k,
          a,
          aAt + i * aRow,
          b,
          bAt + whole,
          bRow,
          scales,
          scalesAt + whole,
          c,
          cAt + i * cRow + whole);
    }
  }

  /// Eight vectors at a time read two cache lines of each row of bytes, which the processor fetches
  /// ahead better than one.
  private static void tile1x8(
      int k,
      float[] a,
      int aAt,
      byte[] b,
      int bAt,
      int bRow,
      float[] scales,
      int scalesAt,
      float[] c,
      int cAt) {
    FloatVector s0 = FloatVector.fromArray(FLOATS, scales, scalesAt);
    FloatVector s1 = FloatVector.fromArray(FLOATS, scales, scalesAt + LANES);
    FloatVector s2 = FloatVector.fromArray(FLOATS, scales, scalesAt + 2 * LANES);
    FloatVector s3 = FloatVector.fromArray(FLOATS, scales, scalesAt + 3 * LANES);
    FloatVector s4 = FloatVector.fromArray(FLOATS, scales, scalesAt + 4 * LANES);
    FloatVector s5 = FloatVector.fromArray(FLOATS, scales, scalesAt + 5 * LANES);
    FloatVector s6 = FloatVector.fromArray(FLOATS, scales, scalesAt + 6 * LANES);
    FloatVector s7 = FloatVector.fromArray(FLOATS, scales, scalesAt + 7 * LANES);
    FloatVector c0 = FloatVector.fromArray(FLOATS, c, cAt);
    FloatVector c1 = FloatVector.fromArray(FLOATS, c, cAt + LANES);
    FloatVector c2 = FloatVector.fromArray(FLOATS, c, cAt + 2 * LANES);
    FloatVector c3 = FloatVector.fromArray(FLOATS, c, cAt + 3 * LANES);
    FloatVector c4 = FloatVector.fromArray(FLOATS, c, cAt + 4 * LANES);
    FloatVector c5 = FloatVector.fromArray(FLOATS, c, cAt + 5 * LANES);
    FloatVector c6 = FloatVector.fromArray(FLOATS, c, cAt + 6 * LANES);
    FloatVector c7 = FloatVector.fromArray(FLOATS, c, cAt + 7 * LANES);
    for (int p = 0; p < k; p++) {
      int from = bAt + p * bRow;
      FloatVector a0 = FloatVector.broadcast(FLOATS, a[aAt + p]);
      FloatVector b0 =
          ((FloatVector) ByteVector.fromArray(BYTES, b, from).castShape(FLOATS, 0)).mul(s0);
      c0 = a0.fma(b0, c0);
      FloatVector b1 =
          ((FloatVector) ByteVector.fromArray(BYTES, b, from + LANES).castShape(FLOATS, 0)).mul(s1);
      c1 = a0.fma(b1, c1);
      FloatVector b2 =
          ((FloatVector) ByteVector.fromArray(BYTES, b, from + 2 * LANES).castShape(FLOATS, 0))
              .mul(s2);
      c2 = a0.fma(b2, c2);
      FloatVector b3 =
          ((FloatVector) ByteVector.fromArray(BYTES, b, from + 3 * LANES).castShape(FLOATS, 0))
              .mul(s3);
      c3 = a0.fma(b3, c3);
      FloatVector b4 =
          ((FloatVector) ByteVector.fromArray(BYTES, b, from + 4 * LANES).castShape(FLOATS, 0))
              .mul(s4);
      c4 = a0.fma(b4, c4);
      FloatVector b5 =
          ((FloatVector) ByteVector.fromArray(BYTES, b, from + 5 * LANES).castShape(FLOATS, 0))
              .mul(s5);
      c5 = a0.fma(b5, c5);
      FloatVector b6 =
          ((FloatVector) ByteVector.fromArray(BYTES, b, from + 6 * LANES).castShape(FLOATS, 0))
              .mul(s6);
      c6 = a0.fma(b6, c6);
      FloatVector b7 =
          ((FloatVector) ByteVector.fromArray(BYTES, b, from + 7 * LANES).castShape(FLOATS, 0))
              .mul(s7);
      c7 = a0.fma(b7, c7);
    }
    c0.intoArray(c, cAt);
    c1.intoArray(c, cAt + LANES);
    c2.intoArray(c, cAt + 2 * LANES);
    c3.intoArray(c, cAt + 3 * LANES);
    c4.intoArray(c, cAt + 4 * LANES);
    c5.intoArray(c, cAt + 5 * LANES);
    c6.intoArray(c, cAt + 6 * LANES);
    c7.intoArray(c, cAt + 7 * LANES);
  }

  private static void tile1x4(
      int k,
      float[] a,
      int aAt,
      byte[] b,
      int bAt,
      int bRow,
      float[] scales,
      int scalesAt,
      float[] c,
      int cAt) {
    FloatVector s0 = FloatVector.fromArray(FLOATS, scales, scalesAt);
    FloatVector s1 = FloatVector.fromArray(FLOATS, scales, scalesAt + LANES);
    FloatVector s2 = FloatVector.fromArray(FLOATS, scales, scalesAt + 2 * LANES);
    FloatVector s3 = FloatVector.fromArray(FLOATS, scales, scalesAt + 3 * LANES);
    FloatVector c0 = FloatVector.fromArray(FLOATS, c, cAt);
    FloatVector c1 = FloatVector.fromArray(FLOATS, c, cAt + LANES);
    FloatVector c2 = FloatVector.fromArray(FLOATS, c, cAt + 2 * LANES);
    FloatVector c3 = FloatVector.fromArray(FLOATS, c, cAt + 3 * LANES);
    int p = 0;
    for (; p < k - 1; p += 2) {
      FloatVector a0 = FloatVector.broadcast(FLOATS, a[aAt + p]);
      FloatVector b00 =
          ((FloatVector) ByteVector.fromArray(BYTES, b, bAt + p * bRow).castShape(FLOATS, 0))
              .mul(s0);
      c0 = a0.fma(b00, c0);
      FloatVector b01 =
          ((FloatVector)
                  ByteVector.fromArray(BYTES, b, bAt + p * bRow + LANES).castShape(FLOATS, 0))
              .mul(s1);
      c1 = a0.fma(b01, c1);
      FloatVector b02 =
          ((FloatVector)
                  ByteVector.fromArray(BYTES, b, bAt + p * bRow + 2 * LANES).castShape(FLOATS, 0))
              .mul(s2);
      c2 = a0.fma(b02, c2);
      FloatVector b03 =
          ((FloatVector)
                  ByteVector.fromArray(BYTES, b, bAt + p * bRow + 3 * LANES).castShape(FLOATS, 0))
              .mul(s3);
      c3 = a0.fma(b03, c3);
      FloatVector a1 = FloatVector.broadcast(FLOATS, a[aAt + p + 1]);
      FloatVector b10 =
          ((FloatVector) ByteVector.fromArray(BYTES, b, bAt + (p + 1) * bRow).castShape(FLOATS, 0))
              .mul(s0);
      c0 = a1.fma(b10, c0);
      FloatVector b11 =
          ((FloatVector)
                  ByteVector.fromArray(BYTES, b, bAt + (p + 1) * bRow + LANES).castShape(FLOATS, 0))
              .mul(s1);
      c1 = a1.fma(b11, c1);
      FloatVector b12 =
          ((FloatVector)
                  ByteVector.fromArray(BYTES, b, bAt + (p + 1) * bRow + 2 * LANES)
                      .castShape(FLOATS, 0))
              .mul(s2);
      c2 = a1.fma(b12, c2);
      FloatVector b13 =
          ((FloatVector)
                  ByteVector.fromArray(BYTES, b, bAt + (p + 1) * bRow + 3 * LANES)
                      .castShape(FLOATS, 0))
              .mul(s3);
      c3 = a1.fma(b13, c3);
    }
    if (p < k) {
      FloatVector a0 = FloatVector.broadcast(FLOATS, a[aAt + p]);
      FloatVector b00 =
          ((FloatVector) ByteVector.fromArray(BYTES, b, bAt + p * bRow).castShape(FLOATS, 0))
              .mul(s0);
      c0 = a0.fma(b00, c0);
      FloatVector b01 =
          ((FloatVector)
                  ByteVector.fromArray(BYTES, b, bAt + p * bRow + LANES).castShape(FLOATS, 0))
              .mul(s1);
      c1 = a0.fma(b01, c1);
      FloatVector b02 =
          ((FloatVector)
                  ByteVector.fromArray(BYTES, b, bAt + p * bRow + 2 * LANES).castShape(FLOATS, 0))
              .mul(s2);
      c2 = a0.fma(b02, c2);
      FloatVector b03 =
          ((FloatVector)
                  ByteVector.fromArray(BYTES, b, bAt + p * bRow + 3 * LANES).castShape(FLOATS, 0))
              .mul(s3);
      c3 = a0.fma(b03, c3);
    }
    c0.intoArray(c, cAt);
    c1.intoArray(c, cAt + LANES);
    c2.intoArray(c, cAt + 2 * LANES);
    c3.intoArray(c, cAt + 3 * LANES);
  }

  private static void tile4x2(
      int k,
      float[] a,
      int aAt,
      int aRow,
      byte[] b,
      int bAt,
      int bRow,
      float[] scales,
      int scalesAt,
      float[] c,
      int cAt,
      int cRow) {
    FloatVector s0 = FloatVector.fromArray(FLOATS, scales, scalesAt);
    FloatVector s1 = FloatVector.fromArray(FLOATS, scales, scalesAt + LANES);
    FloatVector c00 = FloatVector.fromArray(FLOATS, c, cAt);
    FloatVector c01 = FloatVector.fromArray(FLOATS, c, cAt + LANES);
    FloatVector c10 = FloatVector.fromArray(FLOATS, c, cAt + cRow);
    FloatVector c11 = FloatVector.fromArray(FLOATS, c, cAt + cRow + LANES);
    FloatVector c20 = FloatVector.fromArray(FLOATS, c, cAt + 2 * cRow);
    FloatVector c21 = FloatVector.fromArray(FLOATS, c, cAt + 2 * cRow + LANES);
    FloatVector c30 = FloatVector.fromArray(FLOATS, c, cAt + 3 * cRow);
    FloatVector c31 = FloatVector.fromArray(FLOATS, c, cAt + 3 * cRow + LANES);
    for (int p = 0; p < k; p++) {
      FloatVector b0 =
          ((FloatVector) ByteVector.fromArray(BYTES, b, bAt + p * bRow).castShape(FLOATS, 0))
              .mul(s0);
      FloatVector b1 =
          ((FloatVector)
                  ByteVector.fromArray(BYTES, b, bAt + p * bRow + LANES).castShape(FLOATS, 0))
              .mul(s1);
      FloatVector a0 = FloatVector.broadcast(FLOATS, a[aAt + p]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      FloatVector a1 = FloatVector.broadcast(FLOATS, a[aAt + aRow + p]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      FloatVector a2 = FloatVector.broadcast(FLOATS, a[aAt + 2 * aRow + p]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      FloatVector a3 = FloatVector.broadcast(FLOATS, a[aAt + 3 * aRow + p]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
    }
    c00.intoArray(c, cAt);
    c01.intoArray(c, cAt + LANES);
    c10.intoArray(c, cAt + cRow);
    c11.intoArray(c, cAt + cRow + LANES);
    c20.intoArray(c, cAt + 2 * cRow);
    c21.intoArray(c, cAt + 2 * cRow + LANES);
    c30.intoArray(c, cAt + 3 * cRow);
    c31.intoArray(c, cAt + 3 * cRow + LANES);
  }
}
