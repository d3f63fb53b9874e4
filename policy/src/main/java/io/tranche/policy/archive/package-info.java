/// What everything saved is put into: archives that prove themselves whole, and plain values as
/// JSON.
@NullMarked
package io.tranche.policy.archive;

import org.jspecify.annotations.NullMarked;
