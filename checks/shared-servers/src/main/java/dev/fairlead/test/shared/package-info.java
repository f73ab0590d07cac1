/** Servers and raw callers that the tests and the proofs of the assembled product share. */
@NullMarked
package dev.fairlead.test.shared;

import org.jspecify.annotations.NullMarked;
