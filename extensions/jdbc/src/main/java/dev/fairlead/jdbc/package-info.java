/**
 * Durable tasks, and durable sessions over HTTP with their events, on SQLite and PostgreSQL.
 *
 * <p>{@link dev.fairlead.jdbc.Database} is one open database: a file, which one process owns, or a
 * PostgreSQL that several nodes share.
 */
@NullMarked
package dev.fairlead.jdbc;

import org.jspecify.annotations.NullMarked;
