/// The verb that finds what is wrong although nothing fails.
@NullMarked
package io.tranche.cli.doctor;

import org.jspecify.annotations.NullMarked;
