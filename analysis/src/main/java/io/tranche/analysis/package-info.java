/// How policies are judged: the same orders under each policy, paired differences, verdicts.
@NullMarked
package io.tranche.analysis;

import org.jspecify.annotations.NullMarked;
