/** The records of the Model Context Protocol, its revisions, and the connection engine. */
@NullMarked
package dev.fairlead.protocol;

import org.jspecify.annotations.NullMarked;
