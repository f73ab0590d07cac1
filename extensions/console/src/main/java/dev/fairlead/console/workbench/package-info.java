/** Clients of pages: people try a server by them. */
@NullMarked
package dev.fairlead.console.workbench;

import org.jspecify.annotations.NullMarked;
