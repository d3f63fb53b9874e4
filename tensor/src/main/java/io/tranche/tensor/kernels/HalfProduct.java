package io.tranche.tensor.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// [VectorProduct] for a matrix of float16 numbers, which become floats in registers: the same bits
/// as with float32, from half the memory. The Vector API has no conversion for them.
///
/// As there, every tile is one loop of more than 325 bytecodes.
final class HalfProduct {

  private static final VectorSpecies<Float> FLOATS = VectorKernels.LANES;
  private static final int LANES = FLOATS.length();
  private static final VectorSpecies<Integer> INTS = FLOATS.withLanes(int.class);
  private static final VectorSpecies<Short> SHORTS =
      VectorSpecies.of(short.class, VectorShape.forBitSize(LANES * Short.SIZE));

  /// Length of the sum computed at a time, so that the rows it reads stay in the cache.
  private static final int DEPTH = 256;

  /// Moves the digits of a half to their place in a float.
  private static final int SHIFT = 13;

  /// Clears what the half's sign left between the float's sign and the half's exponent.
  private static final int MASK = 0x8fff_ffff;

  /// By so much a half that was moved into place is too small: the difference of the exponents.
  private static final float FACTOR = 0x1p112f;

  private static final ScalarKernels REST = new ScalarKernels();

  private HalfProduct() {}

  /// [Kernels#multiplyHalves].
  static void multiply(
      int m,
      int n,
      int k,
      float[] a,
      int aAt,
      int aRow,
      short[] b,
      int bAt,
      int bRow,
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
    for (int p = 0; p < k; p += DEPTH) {
      int depth = Math.min(k - p, DEPTH);
      for (int j = 0; j < whole; j += 4 * LANES) {
        int bFrom = bAt + p * bRow + j;
        int i = 0;
        for (; i <= m - 4; i += 4) {
          int aFrom = aAt + i * aRow + p;
          int cFrom = cAt + i * cRow + j;
          tile4x2(depth, a, aFrom, aRow, b, bFrom, bRow, c, cFrom, cRow);
          tile4x2(depth, a, aFrom, aRow, b, bFrom + 2 * LANES, bRow, c, cFrom + 2 * LANES, cRow);
        }
        for (; i < m; i++) {
          tile1x4(depth, a, aAt + i * aRow + p, b, bFrom, bRow, c, cAt + i * cRow + j);
        }
      }
    }
    for (int i = 0; whole < n && i < m; i++) {
      REST.addHalves(
          n - whole, k, a, aAt + i * aRow, b, bAt + whole, bRow, c, cAt + i * cRow + whole);
    }
  }

  private static void tile1x4(
      int k, float[] a, int aAt, short[] b, int bAt, int bRow, float[] c, int cAt) {
    FloatVector c0 = FloatVector.fromArray(FLOATS, c, cAt);
    FloatVector c1 = FloatVector.fromArray(FLOATS, c, cAt + LANES);
    FloatVector c2 = FloatVector.fromArray(FLOATS, c, cAt + 2 * LANES);
    FloatVector c3 = FloatVector.fromArray(FLOATS, c, cAt + 3 * LANES);
    int p = 0;
    for (; p < k - 1; p += 2) {
      FloatVector a0 = FloatVector.broadcast(FLOATS, a[aAt + p]);
      FloatVector b00 =
          ((IntVector) ShortVector.fromArray(SHORTS, b, bAt + p * bRow).castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
      c0 = a0.fma(b00, c0);
      FloatVector b01 =
          ((IntVector) ShortVector.fromArray(SHORTS, b, bAt + p * bRow + LANES).castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
      c1 = a0.fma(b01, c1);
      FloatVector b02 =
          ((IntVector)
                  ShortVector.fromArray(SHORTS, b, bAt + p * bRow + 2 * LANES).castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
      c2 = a0.fma(b02, c2);
      FloatVector b03 =
          ((IntVector)
                  ShortVector.fromArray(SHORTS, b, bAt + p * bRow + 3 * LANES).castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
      c3 = a0.fma(b03, c3);
      FloatVector a1 = FloatVector.broadcast(FLOATS, a[aAt + p + 1]);
      FloatVector b10 =
          ((IntVector) ShortVector.fromArray(SHORTS, b, bAt + (p + 1) * bRow).castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
      c0 = a1.fma(b10, c0);
      FloatVector b11 =
          ((IntVector)
                  ShortVector.fromArray(SHORTS, b, bAt + (p + 1) * bRow + LANES).castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
      c1 = a1.fma(b11, c1);
      FloatVector b12 =
          ((IntVector)
                  ShortVector.fromArray(SHORTS, b, bAt + (p + 1) * bRow + 2 * LANES)
                      .castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
      c2 = a1.fma(b12, c2);
      FloatVector b13 =
          ((IntVector)
                  ShortVector.fromArray(SHORTS, b, bAt + (p + 1) * bRow + 3 * LANES)
                      .castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
      c3 = a1.fma(b13, c3);
    }
    if (p < k) {
      FloatVector a0 = FloatVector.broadcast(FLOATS, a[aAt + p]);
      FloatVector b00 =
          ((IntVector) ShortVector.fromArray(SHORTS, b, bAt + p * bRow).castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
      c0 = a0.fma(b00, c0);
      FloatVector b01 =
          ((IntVector) ShortVector.fromArray(SHORTS, b, bAt + p * bRow + LANES).castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
      c1 = a0.fma(b01, c1);
      FloatVector b02 =
          ((IntVector)
                  ShortVector.fromArray(SHORTS, b, bAt + p * bRow + 2 * LANES).castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
      c2 = a0.fma(b02, c2);
      FloatVector b03 =
          ((IntVector)
                  ShortVector.fromArray(SHORTS, b, bAt + p * bRow + 3 * LANES).castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
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
      short[] b,
      int bAt,
      int bRow,
      float[] c,
      int cAt,
      int cRow) {
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
          ((IntVector) ShortVector.fromArray(SHORTS, b, bAt + p * bRow).castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
      FloatVector b1 =
          ((IntVector) ShortVector.fromArray(SHORTS, b, bAt + p * bRow + LANES).castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, SHIFT)
              .and(MASK)
              .reinterpretAsFloats()
              .mul(FACTOR);
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
