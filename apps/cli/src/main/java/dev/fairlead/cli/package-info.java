/** The command line: a client for people and scripts. */
@NullMarked
package dev.fairlead.cli;

import org.jspecify.annotations.NullMarked;
