/// Policies that were made elsewhere, as ONNX graphs: checked, then run by ONNX Runtime.
@NullMarked
package io.tranche.onnx;

import org.jspecify.annotations.NullMarked;
