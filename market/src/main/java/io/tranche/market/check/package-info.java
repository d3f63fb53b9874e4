/// What is wrong with data: rules, findings and the check of any supported input.
@NullMarked
package io.tranche.market.check;

import org.jspecify.annotations.NullMarked;
