/** The showcase server and the client that the conformance suite launches. */
@NullMarked
package dev.fairlead.showcase;

import org.jspecify.annotations.NullMarked;
