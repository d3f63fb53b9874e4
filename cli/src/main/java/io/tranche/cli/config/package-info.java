/// What a configuration may say, for people and for editors.
@NullMarked
package io.tranche.cli.config;

import org.jspecify.annotations.NullMarked;
