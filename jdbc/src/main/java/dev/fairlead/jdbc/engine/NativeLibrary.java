package dev.fairlead.jdbc.engine;

import org.sqlite.SQLiteJDBCLoader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Stream;

/**
 * The native part of SQLite. It is unpacked at each start of a process, and a killed one leaves its
 * copy behind (1 MiB); therefore it goes to a folder beside the database, which is emptied by the
 * next process that holds the lock.
 */
final class NativeLibrary {
    private static final String FOLDER_PROPERTY = "org.sqlite.tmpdir";

    private NativeLibrary() {}

    /** Loads it once for the process; whoever set the folder of the driver keeps it. */
    static synchronized void load(Path database) throws SQLException, IOException {
        if (System.getProperty(FOLDER_PROPERTY) == null) {
            Path folder = database.resolveSibling(database.getFileName() + ".native");
            Files.createDirectories(folder);
            clear(folder);
            System.setProperty(FOLDER_PROPERTY, folder.toString());
            try {
                initialize();
            } finally {
                System.clearProperty(FOLDER_PROPERTY);
            }
        } else {
            initialize();
        }
    }

    private static void initialize() throws SQLException {
        try {
            SQLiteJDBCLoader.initialize();
        } catch (Exception e) {
            throw new SQLException("SQLite's native library cannot be loaded: " + e, e);
        }
    }

    private static void clear(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException stillMapped) {
                    // by this process, on Windows: its next start clears it
                }
            }
        }
    }
}
