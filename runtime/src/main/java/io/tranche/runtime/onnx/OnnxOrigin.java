package io.tranche.runtime.onnx;

/// Where an ONNX file comes from, for its metadata.
///
/// @param version of Tranche
/// @param checkpoint what the weights were taken from, such as the name of a checkpoint
public record OnnxOrigin(String version, String checkpoint) {}
