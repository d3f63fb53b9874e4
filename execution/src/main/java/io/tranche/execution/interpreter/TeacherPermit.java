package io.tranche.execution.interpreter;

/// The caller's promise that a policy that sees the future only teaches others in training, and
/// neither trades nor is judged.
///
/// @param purpose what it is for, such as `teacher of a distillation`
public record TeacherPermit(String purpose) {

  public TeacherPermit {
    if (purpose.isBlank()) {
      throw new IllegalArgumentException("purpose must be given, was '" + purpose + "'");
    }
  }
}
