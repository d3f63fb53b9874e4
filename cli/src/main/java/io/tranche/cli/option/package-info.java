/// Options that several verbs share.
@NullMarked
package io.tranche.cli.option;

import org.jspecify.annotations.NullMarked;
