/** A server whose disk fills and is freed again. */
@NullMarked
package dev.fairlead.proofs.disk;

import org.jspecify.annotations.NullMarked;
