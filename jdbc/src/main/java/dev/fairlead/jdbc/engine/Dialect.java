package dev.fairlead.jdbc.engine;

/** The database in use. */
public enum Dialect {
    SQLITE,
    POSTGRES
}
