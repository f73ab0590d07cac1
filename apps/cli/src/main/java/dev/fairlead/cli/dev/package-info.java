/** A proxy that starts its server again when its classes change, for people who write servers. */
@NullMarked
package dev.fairlead.cli.dev;

import org.jspecify.annotations.NullMarked;
