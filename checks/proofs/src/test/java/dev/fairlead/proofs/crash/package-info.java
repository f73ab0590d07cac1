/** Tasks that outlive the processes that run them: killed, frozen, restarted. */
@NullMarked
package dev.fairlead.proofs.crash;

import org.jspecify.annotations.NullMarked;
