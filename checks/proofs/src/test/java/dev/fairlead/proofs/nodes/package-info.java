/** Several processes of {@code fairlead serve} that share what they store, and faults of them. */
@NullMarked
package dev.fairlead.proofs.nodes;

import org.jspecify.annotations.NullMarked;
