/** An interactive session with one server. */
@NullMarked
package dev.fairlead.cli.shell;

import org.jspecify.annotations.NullMarked;
