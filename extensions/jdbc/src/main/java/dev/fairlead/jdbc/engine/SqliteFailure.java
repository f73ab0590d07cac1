package dev.fairlead.jdbc.engine;

import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import java.nio.file.Path;
import java.sql.SQLException;

/** Explains failures of SQLite to an operator. */
final class SqliteFailure {
    private SqliteFailure() {}

    /** Returns the failure with a message that contains the remedy, if there is one. */
    static Throwable explained(Throwable failure, Path path) {
        return failure instanceof SQLiteException sqlite
                ? explained(sqlite, path + " was not written")
                : failure;
    }

    /**
     * Returns the failure with a message that contains the remedy, if there is one.
     *
     * @param sentence the text before the reason
     */
    static SQLException explained(SQLiteException sqlite, String sentence) {
        String reason = reason(sqlite.getResultCode());
        if (reason.isEmpty()) {
            return sqlite;
        }
        return new SQLException(
                sentence + ": " + reason, sqlite.getSQLState(), sqlite.getErrorCode(), sqlite);
    }

    /**
     * Rethrows a failure after which nothing of the transaction is left, or nothing of it can be
     * trusted.
     */
    static void throwIfOfGroup(Exception failure) throws SQLException {
        if (failure instanceof SQLiteException sqlite && !isOfStatement(sqlite.getResultCode())) {
            throw sqlite;
        }
    }

    private static boolean isOfStatement(SQLiteErrorCode code) {
        return switch (code.code & 0xff) {
            case 1, 18, 19, 20, 25 -> true; // error, too big, constraint, mismatch, range
            default -> false;
        };
    }

    private static String reason(SQLiteErrorCode code) {
        return switch (code.code & 0xff) { // extended codes carry the basic one in their low byte
            case 13 -> "the disk is full";
            case 10 -> "the disk cannot be read or written (" + code + ")";
            case 8 -> "the file or its folder is read-only";
            case 11, 26 -> "the file is damaged or not a database";
            default -> "";
        };
    }
}
