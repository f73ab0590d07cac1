/** Tests against MCP implementations of other makes, from npm. */
@NullMarked
package dev.fairlead.interop;

import org.jspecify.annotations.NullMarked;
