/**
 * How statements reach a database: on threads that own its connections, so that an interrupted
 * caller never hurts a driver.
 */
@NullMarked
package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.NullMarked;
