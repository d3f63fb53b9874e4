@NullMarked
package io.tranche.runtime.onnx;

import org.jspecify.annotations.NullMarked;
