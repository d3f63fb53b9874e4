/// Environments for programs in other languages: numbers cross in shared memory, commands through a
/// pipe.
@NullMarked
package io.tranche.work.gym;

import org.jspecify.annotations.NullMarked;
