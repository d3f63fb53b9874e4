/// Models as ONNX files, for runtimes other than ours.
@NullMarked
package io.tranche.runtime.onnx;

import org.jspecify.annotations.NullMarked;
