/** Servers and clients that are killed, and go on in another process with what is on disk. */
@NullMarked
package dev.fairlead.proofs.restart;

import org.jspecify.annotations.NullMarked;
