package io.tranche.tensor.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/// The matrix product on vectors: tiles of the result stay in registers during the sum.
///
/// Every tile is one loop of more than 325 bytecodes, so that C2 compiles it on its own. Inlined
/// into a caller it could exhaust C2's node budget, and C2 would then silently box every vector.
final class VectorProduct {

  private static final VectorSpecies<Float> SPECIES = VectorKernels.LANES;
  private static final int LANES = SPECIES.length();

  /// Sixteen sums and their operands need the 32 registers that 512-bit vectors come with.
  private static final boolean WIDE = LANES >= 16;

  /// Length of the sum computed at a time, so that the rows of `b` it reads stay in the cache.
  private static final int DEPTH = 256;

  /// For what remains of a single row: C2 vectorises its plain loops.
  private static final ScalarKernels REST = new ScalarKernels();

  private VectorProduct() {}

  /// [Kernels#multiply], in pieces of [#DEPTH] along the sum.
  static void multiply(
      int m,
      int n,
      int k,
      float[] a,
      int aAt,
      int aRow,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] start,
      int startAt,
      int startRow,
      float[] c,
      int cAt,
      int cRow) {
    int depth = Math.min(k, DEPTH);
    rows(m, n, depth, a, aAt, aRow, aColumn, b, bAt, bRow, start, startAt, startRow, c, cAt, cRow);
    for (int p = depth; p < k; p += DEPTH) {
      int aFrom = aAt + p * aColumn;
      int bFrom = bAt + p * bRow;
      depth = Math.min(k - p, DEPTH);
      rows(m, n, depth, a, aFrom, aRow, aColumn, b, bFrom, bRow, c, cAt, cRow, c, cAt, cRow);
    }
  }

  /// Covers four rows at a time, then two, then the last one.
  private static void rows(
      int m,
      int n,
      int k,
      float[] a,
      int aAt,
      int aRow,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] s,
      int sAt,
      int sRow,
      float[] c,
      int cAt,
      int cRow) {
    int tiled = m - m % 4;
    if (tiled > 0) {
      columns(tiled, n, k, a, aAt, aRow, aColumn, b, bAt, bRow, s, sAt, sRow, c, cAt, cRow);
    }
    int i = tiled;
    if (m - i >= 2) {
      int aFrom = aAt + i * aRow;
      int sFrom = sAt + i * sRow;
      int cFrom = cAt + i * cRow;
      pair(n, k, a, aFrom, aRow, aColumn, b, bAt, bRow, s, sFrom, sRow, c, cFrom, cRow);
      i += 2;
    }
    if (i < m) {
      row(n, k, a, aAt + i * aRow, aColumn, b, bAt, bRow, s, sAt + i * sRow, c, cAt + i * cRow);
    }
  }

  /// Covers two rows from the left, so that every number of `b` is read once for both.
  private static void pair(
      int n,
      int k,
      float[] a,
      int aAt,
      int aRow,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] s,
      int sAt,
      int sRow,
      float[] c,
      int cAt,
      int cRow) {
    int j = 0;
    for (; j <= n - 4 * LANES; j += 4 * LANES) {
      tile2x4(k, a, aAt, aRow, aColumn, b, bAt + j, bRow, s, sAt + j, sRow, c, cAt + j, cRow);
    }
    if (j < n) {
      row(n - j, k, a, aAt, aColumn, b, bAt + j, bRow, s, sAt + j, c, cAt + j);
      int sNext = sAt + sRow + j;
      row(n - j, k, a, aAt + aRow, aColumn, b, bAt + j, bRow, s, sNext, c, cAt + cRow + j);
    }
  }

  /// Covers `m` rows, a multiple of four, from the left with the widest tiles that fit.
  private static void columns(
      int m,
      int n,
      int k,
      float[] a,
      int aAt,
      int aRow,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] s,
      int sAt,
      int sRow,
      float[] c,
      int cAt,
      int cRow) {
    int j = 0;
    for (; WIDE && j <= n - 4 * LANES; j += 4 * LANES) {
      for (int i = 0; i < m; i += 4) {
        int aFrom = aAt + i * aRow;
        int sFrom = sAt + i * sRow + j;
        int cFrom = cAt + i * cRow + j;
        tile4x4(k, a, aFrom, aRow, aColumn, b, bAt + j, bRow, s, sFrom, sRow, c, cFrom, cRow);
      }
    }
    for (; j <= n - 2 * LANES; j += 2 * LANES) {
      for (int i = 0; i < m; i += 4) {
        int aFrom = aAt + i * aRow;
        int sFrom = sAt + i * sRow + j;
        int cFrom = cAt + i * cRow + j;
        tile4x2(k, a, aFrom, aRow, aColumn, b, bAt + j, bRow, s, sFrom, sRow, c, cFrom, cRow);
      }
    }
    for (; j < n; j++) {
      for (int i = 0; i < m; i += 4) {
        int aFrom = aAt + i * aRow;
        int sFrom = sAt + i * sRow + j;
        int cFrom = cAt + i * cRow + j;
        single4(k, a, aFrom, aRow, aColumn, b, bAt + j, bRow, s, sFrom, sRow, c, cFrom, cRow);
      }
    }
  }

  /// Covers one row from the left. It reads every number of `b` once, so it is as fast as the cache
  /// gives them: tiles are wide, because the narrower the columns, the less of what the processor
  /// fetches ahead is used.
  private static void row(
      int n,
      int k,
      float[] a,
      int aAt,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] s,
      int sAt,
      float[] c,
      int cAt) {
    int j = 0;
    for (; j <= n - 12 * LANES; j += 12 * LANES) {
      tile1x12(k, a, aAt, aColumn, b, bAt + j, bRow, s, sAt + j, c, cAt + j);
    }
    for (; j <= n - 8 * LANES; j += 8 * LANES) {
      tile1x8(k, a, aAt, aColumn, b, bAt + j, bRow, s, sAt + j, c, cAt + j);
    }
    for (; j <= n - 4 * LANES; j += 4 * LANES) {
      tile1x4(k, a, aAt, aColumn, b, bAt + j, bRow, s, sAt + j, c, cAt + j);
    }
    for (; j <= n - 2 * LANES; j += 2 * LANES) {
      tile1x2(k, a, aAt, aColumn, b, bAt + j, bRow, s, sAt + j, c, cAt + j);
    }
    if (j < n) {
      REST.multiply(
          1, n - j, k, a, aAt, 0, aColumn, b, bAt + j, bRow, s, sAt + j, 0, c, cAt + j, 0);
    }
  }

  /// Four rows of a single column: the few actions of a policy and the value of a critic fill no
  /// vector. Loops along such short rows take longer to begin than to run: for 1,024 rows of 64
  /// numbers, five columns took 0.4 of the time of the loops, and 31, the most that are left, 0.8.
  private static void single4(
      int k,
      float[] a,
      int aAt,
      int aRow,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] s,
      int sAt,
      int sRow,
      float[] c,
      int cAt,
      int cRow) {
    float c0 = s[sAt];
    float c1 = s[sAt + sRow];
    float c2 = s[sAt + 2 * sRow];
    float c3 = s[sAt + 3 * sRow];
    for (int p = 0; p < k; p++) {
      int row = aAt + p * aColumn;
      float b0 = b[bAt + p * bRow];
      c0 = Math.fma(a[row], b0, c0);
      c1 = Math.fma(a[row + aRow], b0, c1);
      c2 = Math.fma(a[row + 2 * aRow], b0, c2);
      c3 = Math.fma(a[row + 3 * aRow], b0, c3);
    }
    c[cAt] = c0;
    c[cAt + cRow] = c1;
    c[cAt + 2 * cRow] = c2;
    c[cAt + 3 * cRow] = c3;
  }

  private static void tile4x4(
      int k,
      float[] a,
      int aAt,
      int aRow,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] s,
      int sAt,
      int sRow,
      float[] c,
      int cAt,
      int cRow) {
    FloatVector c00 = FloatVector.fromArray(SPECIES, s, sAt);
    FloatVector c01 = FloatVector.fromArray(SPECIES, s, sAt + LANES);
    FloatVector c02 = FloatVector.fromArray(SPECIES, s, sAt + 2 * LANES);
    FloatVector c03 = FloatVector.fromArray(SPECIES, s, sAt + 3 * LANES);
    FloatVector c10 = FloatVector.fromArray(SPECIES, s, sAt + sRow);
    FloatVector c11 = FloatVector.fromArray(SPECIES, s, sAt + sRow + LANES);
    FloatVector c12 = FloatVector.fromArray(SPECIES, s, sAt + sRow + 2 * LANES);
    FloatVector c13 = FloatVector.fromArray(SPECIES, s, sAt + sRow + 3 * LANES);
    FloatVector c20 = FloatVector.fromArray(SPECIES, s, sAt + 2 * sRow);
    FloatVector c21 = FloatVector.fromArray(SPECIES, s, sAt + 2 * sRow + LANES);
    FloatVector c22 = FloatVector.fromArray(SPECIES, s, sAt + 2 * sRow + 2 * LANES);
    FloatVector c23 = FloatVector.fromArray(SPECIES, s, sAt + 2 * sRow + 3 * LANES);
    FloatVector c30 = FloatVector.fromArray(SPECIES, s, sAt + 3 * sRow);
    FloatVector c31 = FloatVector.fromArray(SPECIES, s, sAt + 3 * sRow + LANES);
    FloatVector c32 = FloatVector.fromArray(SPECIES, s, sAt + 3 * sRow + 2 * LANES);
    FloatVector c33 = FloatVector.fromArray(SPECIES, s, sAt + 3 * sRow + 3 * LANES);
    for (int p = 0; p < k; p++) {
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, bAt + p * bRow);
      FloatVector b1 = FloatVector.fromArray(SPECIES, b, bAt + p * bRow + LANES);
      FloatVector b2 = FloatVector.fromArray(SPECIES, b, bAt + p * bRow + 2 * LANES);
      FloatVector b3 = FloatVector.fromArray(SPECIES, b, bAt + p * bRow + 3 * LANES);
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p * aColumn]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      c02 = a0.fma(b2, c02);
      c03 = a0.fma(b3, c03);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[aAt + aRow + p * aColumn]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      c12 = a1.fma(b2, c12);
      c13 = a1.fma(b3, c13);
      FloatVector a2 = FloatVector.broadcast(SPECIES, a[aAt + 2 * aRow + p * aColumn]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      c22 = a2.fma(b2, c22);
      c23 = a2.fma(b3, c23);
      FloatVector a3 = FloatVector.broadcast(SPECIES, a[aAt + 3 * aRow + p * aColumn]);
      c30 = a3.fma(b0, c30);
      c31 = a3.fma(b1, c31);
      c32 = a3.fma(b2, c32);
      c33 = a3.fma(b3, c33);
    }
    c00.intoArray(c, cAt);
    c01.intoArray(c, cAt + LANES);
    c02.intoArray(c, cAt + 2 * LANES);
    c03.intoArray(c, cAt + 3 * LANES);
    c10.intoArray(c, cAt + cRow);
    c11.intoArray(c, cAt + cRow + LANES);
    c12.intoArray(c, cAt + cRow + 2 * LANES);
    c13.intoArray(c, cAt + cRow + 3 * LANES);
    c20.intoArray(c, cAt + 2 * cRow);
    c21.intoArray(c, cAt + 2 * cRow + LANES);
    c22.intoArray(c, cAt + 2 * cRow + 2 * LANES);
    c23.intoArray(c, cAt + 2 * cRow + 3 * LANES);
    c30.intoArray(c, cAt + 3 * cRow);
    c31.intoArray(c, cAt + 3 * cRow + LANES);
    c32.intoArray(c, cAt + 3 * cRow + 2 * LANES);
    c33.intoArray(c, cAt + 3 * cRow + 3 * LANES);
  }

  private static void tile2x4(
      int k,
      float[] a,
      int aAt,
      int aRow,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] s,
      int sAt,
      int sRow,
      float[] c,
      int cAt,
      int cRow) {
    FloatVector c00 = FloatVector.fromArray(SPECIES, s, sAt);
    FloatVector c01 = FloatVector.fromArray(SPECIES, s, sAt + LANES);
    FloatVector c02 = FloatVector.fromArray(SPECIES, s, sAt + 2 * LANES);
    FloatVector c03 = FloatVector.fromArray(SPECIES, s, sAt + 3 * LANES);
    FloatVector c10 = FloatVector.fromArray(SPECIES, s, sAt + sRow);
    FloatVector c11 = FloatVector.fromArray(SPECIES, s, sAt + sRow + LANES);
    FloatVector c12 = FloatVector.fromArray(SPECIES, s, sAt + sRow + 2 * LANES);
    FloatVector c13 = FloatVector.fromArray(SPECIES, s, sAt + sRow + 3 * LANES);
    for (int p = 0; p < k; p++) {
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, bAt + p * bRow);
      FloatVector b1 = FloatVector.fromArray(SPECIES, b, bAt + p * bRow + LANES);
      FloatVector b2 = FloatVector.fromArray(SPECIES, b, bAt + p * bRow + 2 * LANES);
      FloatVector b3 = FloatVector.fromArray(SPECIES, b, bAt + p * bRow + 3 * LANES);
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p * aColumn]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      c02 = a0.fma(b2, c02);
      c03 = a0.fma(b3, c03);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[aAt + aRow + p * aColumn]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      c12 = a1.fma(b2, c12);
      c13 = a1.fma(b3, c13);
    }
    c00.intoArray(c, cAt);
    c01.intoArray(c, cAt + LANES);
    c02.intoArray(c, cAt + 2 * LANES);
    c03.intoArray(c, cAt + 3 * LANES);
    c10.intoArray(c, cAt + cRow);
    c11.intoArray(c, cAt + cRow + LANES);
    c12.intoArray(c, cAt + cRow + 2 * LANES);
    c13.intoArray(c, cAt + cRow + 3 * LANES);
  }

  private static void tile4x2(
      int k,
      float[] a,
      int aAt,
      int aRow,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] s,
      int sAt,
      int sRow,
      float[] c,
      int cAt,
      int cRow) {
    FloatVector c00 = FloatVector.fromArray(SPECIES, s, sAt);
    FloatVector c01 = FloatVector.fromArray(SPECIES, s, sAt + LANES);
    FloatVector c10 = FloatVector.fromArray(SPECIES, s, sAt + sRow);
    FloatVector c11 = FloatVector.fromArray(SPECIES, s, sAt + sRow + LANES);
    FloatVector c20 = FloatVector.fromArray(SPECIES, s, sAt + 2 * sRow);
    FloatVector c21 = FloatVector.fromArray(SPECIES, s, sAt + 2 * sRow + LANES);
    FloatVector c30 = FloatVector.fromArray(SPECIES, s, sAt + 3 * sRow);
    FloatVector c31 = FloatVector.fromArray(SPECIES, s, sAt + 3 * sRow + LANES);
    for (int p = 0; p < k; p++) {
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, bAt + p * bRow);
      FloatVector b1 = FloatVector.fromArray(SPECIES, b, bAt + p * bRow + LANES);
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p * aColumn]);
      c00 = a0.fma(b0, c00);
      c01 = a0.fma(b1, c01);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[aAt + aRow + p * aColumn]);
      c10 = a1.fma(b0, c10);
      c11 = a1.fma(b1, c11);
      FloatVector a2 = FloatVector.broadcast(SPECIES, a[aAt + 2 * aRow + p * aColumn]);
      c20 = a2.fma(b0, c20);
      c21 = a2.fma(b1, c21);
      FloatVector a3 = FloatVector.broadcast(SPECIES, a[aAt + 3 * aRow + p * aColumn]);
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

  private static void tile1x12(
      int k,
      float[] a,
      int aAt,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] s,
      int sAt,
      float[] c,
      int cAt) {
    FloatVector c0 = FloatVector.fromArray(SPECIES, s, sAt);
    FloatVector c1 = FloatVector.fromArray(SPECIES, s, sAt + LANES);
    FloatVector c2 = FloatVector.fromArray(SPECIES, s, sAt + 2 * LANES);
    FloatVector c3 = FloatVector.fromArray(SPECIES, s, sAt + 3 * LANES);
    FloatVector c4 = FloatVector.fromArray(SPECIES, s, sAt + 4 * LANES);
    FloatVector c5 = FloatVector.fromArray(SPECIES, s, sAt + 5 * LANES);
    FloatVector c6 = FloatVector.fromArray(SPECIES, s, sAt + 6 * LANES);
    FloatVector c7 = FloatVector.fromArray(SPECIES, s, sAt + 7 * LANES);
    FloatVector c8 = FloatVector.fromArray(SPECIES, s, sAt + 8 * LANES);
    FloatVector c9 = FloatVector.fromArray(SPECIES, s, sAt + 9 * LANES);
    FloatVector c10 = FloatVector.fromArray(SPECIES, s, sAt + 10 * LANES);
    FloatVector c11 = FloatVector.fromArray(SPECIES, s, sAt + 11 * LANES);
    for (int p = 0; p < k; p++) {
      int from = bAt + p * bRow;
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p * aColumn]);
      c0 = a0.fma(FloatVector.fromArray(SPECIES, b, from), c0);
      c1 = a0.fma(FloatVector.fromArray(SPECIES, b, from + LANES), c1);
      c2 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 2 * LANES), c2);
      c3 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 3 * LANES), c3);
      c4 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 4 * LANES), c4);
      c5 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 5 * LANES), c5);
      c6 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 6 * LANES), c6);
      c7 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 7 * LANES), c7);
      c8 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 8 * LANES), c8);
      c9 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 9 * LANES), c9);
      c10 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 10 * LANES), c10);
      c11 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 11 * LANES), c11);
    }
    c0.intoArray(c, cAt);
    c1.intoArray(c, cAt + LANES);
    c2.intoArray(c, cAt + 2 * LANES);
    c3.intoArray(c, cAt + 3 * LANES);
    c4.intoArray(c, cAt + 4 * LANES);
    c5.intoArray(c, cAt + 5 * LANES);
    c6.intoArray(c, cAt + 6 * LANES);
    c7.intoArray(c, cAt + 7 * LANES);
    c8.intoArray(c, cAt + 8 * LANES);
    c9.intoArray(c, cAt + 9 * LANES);
    c10.intoArray(c, cAt + 10 * LANES);
    c11.intoArray(c, cAt + 11 * LANES);
  }

  private static void tile1x8(
      int k,
      float[] a,
      int aAt,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] s,
      int sAt,
      float[] c,
      int cAt) {
    FloatVector c0 = FloatVector.fromArray(SPECIES, s, sAt);
    FloatVector c1 = FloatVector.fromArray(SPECIES, s, sAt + LANES);
    FloatVector c2 = FloatVector.fromArray(SPECIES, s, sAt + 2 * LANES);
    FloatVector c3 = FloatVector.fromArray(SPECIES, s, sAt + 3 * LANES);
    FloatVector c4 = FloatVector.fromArray(SPECIES, s, sAt + 4 * LANES);
    FloatVector c5 = FloatVector.fromArray(SPECIES, s, sAt + 5 * LANES);
    FloatVector c6 = FloatVector.fromArray(SPECIES, s, sAt + 6 * LANES);
    FloatVector c7 = FloatVector.fromArray(SPECIES, s, sAt + 7 * LANES);
    for (int p = 0; p < k; p++) {
      int from = bAt + p * bRow;
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p * aColumn]);
      c0 = a0.fma(FloatVector.fromArray(SPECIES, b, from), c0);
      c1 = a0.fma(FloatVector.fromArray(SPECIES, b, from + LANES), c1);
      c2 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 2 * LANES), c2);
      c3 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 3 * LANES), c3);
      c4 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 4 * LANES), c4);
      c5 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 5 * LANES), c5);
      c6 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 6 * LANES), c6);
      c7 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 7 * LANES), c7);
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

  /// Two steps of the sum at a time, which also makes it too long to inline (325 bytecodes).
  private static void tile1x4(
      int k,
      float[] a,
      int aAt,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] s,
      int sAt,
      float[] c,
      int cAt) {
    FloatVector c0 = FloatVector.fromArray(SPECIES, s, sAt);
    FloatVector c1 = FloatVector.fromArray(SPECIES, s, sAt + LANES);
    FloatVector c2 = FloatVector.fromArray(SPECIES, s, sAt + 2 * LANES);
    FloatVector c3 = FloatVector.fromArray(SPECIES, s, sAt + 3 * LANES);
    int p = 0;
    for (; p < k - 1; p += 2) {
      int from = bAt + p * bRow;
      int next = from + bRow;
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p * aColumn]);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[aAt + (p + 1) * aColumn]);
      c0 =
          a1.fma(
              FloatVector.fromArray(SPECIES, b, next),
              a0.fma(FloatVector.fromArray(SPECIES, b, from), c0));
      c1 =
          a1.fma(
              FloatVector.fromArray(SPECIES, b, next + LANES),
              a0.fma(FloatVector.fromArray(SPECIES, b, from + LANES), c1));
      c2 =
          a1.fma(
              FloatVector.fromArray(SPECIES, b, next + 2 * LANES),
              a0.fma(FloatVector.fromArray(SPECIES, b, from + 2 * LANES), c2));
      c3 =
          a1.fma(
              FloatVector.fromArray(SPECIES, b, next + 3 * LANES),
              a0.fma(FloatVector.fromArray(SPECIES, b, from + 3 * LANES), c3));
    }
    if (p < k) {
      int from = bAt + p * bRow;
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p * aColumn]);
      c0 = a0.fma(FloatVector.fromArray(SPECIES, b, from), c0);
      c1 = a0.fma(FloatVector.fromArray(SPECIES, b, from + LANES), c1);
      c2 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 2 * LANES), c2);
      c3 = a0.fma(FloatVector.fromArray(SPECIES, b, from + 3 * LANES), c3);
    }
    c0.intoArray(c, cAt);
    c1.intoArray(c, cAt + LANES);
    c2.intoArray(c, cAt + 2 * LANES);
    c3.intoArray(c, cAt + 3 * LANES);
  }

  /// Four steps of the sum at a time, which also makes it too long to inline (325 bytecodes).
  private static void tile1x2(
      int k,
      float[] a,
      int aAt,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] s,
      int sAt,
      float[] c,
      int cAt) {
    FloatVector c0 = FloatVector.fromArray(SPECIES, s, sAt);
    FloatVector c1 = FloatVector.fromArray(SPECIES, s, sAt + LANES);
    int p = 0;
    for (; p < k - 3; p += 4) {
      int from = bAt + p * bRow;
      int at = aAt + p * aColumn;
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[at]);
      c0 = a0.fma(FloatVector.fromArray(SPECIES, b, from), c0);
      c1 = a0.fma(FloatVector.fromArray(SPECIES, b, from + LANES), c1);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[at + aColumn]);
      c0 = a1.fma(FloatVector.fromArray(SPECIES, b, from + bRow), c0);
      c1 = a1.fma(FloatVector.fromArray(SPECIES, b, from + bRow + LANES), c1);
      FloatVector a2 = FloatVector.broadcast(SPECIES, a[at + 2 * aColumn]);
      c0 = a2.fma(FloatVector.fromArray(SPECIES, b, from + 2 * bRow), c0);
      c1 = a2.fma(FloatVector.fromArray(SPECIES, b, from + 2 * bRow + LANES), c1);
      FloatVector a3 = FloatVector.broadcast(SPECIES, a[at + 3 * aColumn]);
      c0 = a3.fma(FloatVector.fromArray(SPECIES, b, from + 3 * bRow), c0);
      c1 = a3.fma(FloatVector.fromArray(SPECIES, b, from + 3 * bRow + LANES), c1);
    }
    for (; p < k; p++) {
      int from = bAt + p * bRow;
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aAt + p * aColumn]);
      c0 = a0.fma(FloatVector.fromArray(SPECIES, b, from), c0);
      c1 = a0.fma(FloatVector.fromArray(SPECIES, b, from + LANES), c1);
    }
    c0.intoArray(c, cAt);
    c1.intoArray(c, cAt + LANES);
  }
}
