@NullMarked
package io.tranche.onnx;

import org.jspecify.annotations.NullMarked;
