package io.tranche.runtime.onnx;

/// Where a file of ONNX comes from, as it says itself.
///
/// @param version of Tranche
/// @param checkpoint what the weights were taken from, such as the name of a checkpoint
public record OnnxOrigin(String version, String checkpoint) {}
