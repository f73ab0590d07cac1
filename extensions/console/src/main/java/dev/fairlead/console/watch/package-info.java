/** Views of a running server, and the stream that carries them. */
@NullMarked
package dev.fairlead.console.watch;

import org.jspecify.annotations.NullMarked;
