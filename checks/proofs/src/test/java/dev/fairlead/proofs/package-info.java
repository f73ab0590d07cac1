/** Proofs that need client, server and transports together. */
@NullMarked
package dev.fairlead.proofs;

import org.jspecify.annotations.NullMarked;
