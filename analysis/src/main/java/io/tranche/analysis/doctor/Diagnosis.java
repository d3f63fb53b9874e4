package io.tranche.analysis.doctor;

/// Something that is wrong although nothing fails.
///
/// @param name of the check, a heading of docs/troubleshooting.md
/// @param symptom what is seen, with its numbers
/// @param cause why
/// @param cure what to do
public record Diagnosis(String name, String symptom, String cause, String cure) {}
