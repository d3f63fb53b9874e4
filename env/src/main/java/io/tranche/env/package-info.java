/// The contracts of reinforcement learning (simulator, interpreters, reward, policy), environments
/// one and many, queues and logs.
@NullMarked
package io.tranche.env;

import org.jspecify.annotations.NullMarked;
