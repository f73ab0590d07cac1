package dev.fairlead.jdbc.engine;

import dev.fairlead.protocol.platform.UserFiles;

import org.sqlite.SQLiteJDBCLoader;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/**
 * The native part of SQLite. It is unpacked once in each process, to a new folder that only this
 * user can enter, below folders in which no other user can replace it; the driver compares it with
 * its archive before it is loaded. Then file and folder are deleted: the process has it in memory.
 */
final class NativeLibrary {
    private static final String FOLDER_PROPERTY = "org.sqlite.tmpdir";

    private NativeLibrary() {}

    /**
     * Loads it once for the process.
     *
     * <p>It is unpacked beside the database, or in the folder for temporary files where others can
     * change the folder of the database. If the property {@code org.sqlite.tmpdir} is set, the
     * driver unpacks it there and removes it by itself; so it does on systems without POSIX
     * permissions, where a loaded library cannot be deleted.
     *
     * @param database in a folder that is named without symbolic links
     */
    static synchronized void load(Path database) throws SQLException, IOException {
        if (System.getProperty(FOLDER_PROPERTY) != null || !UserFiles.hasPermissions(database)) {
            initialize();
            return;
        }
        Path folder =
                Files.createTempDirectory(
                        place(database),
                        ".fairlead-native-",
                        UserFiles.with("rwx------", database));
        System.setProperty(FOLDER_PROPERTY, folder.toString());
        try {
            initialize();
        } finally {
            System.clearProperty(FOLDER_PROPERTY);
            delete(folder);
        }
    }

    private static Path place(Path database) throws IOException {
        Path beside = Objects.requireNonNull(database.getParent());
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
        for (Path folder : List.of(beside, temporary)) {
            if (OwnFiles.isProtected(folder) && Files.isWritable(folder)) {
                return folder;
            }
        }
        throw new IOException(
                "SQLite's native library cannot be unpacked: other users can change both %s and %s;"
                                .formatted(beside, temporary)
                        + " set -Djava.io.tmpdir to a folder that only this user can change");
    }

    private static void initialize() throws SQLException {
        try {
            SQLiteJDBCLoader.initialize();
        } catch (Exception e) {
            throw new SQLException("SQLite's native library cannot be loaded: " + e, e);
        }
    }

    /** Deletes the folder with the files of the driver. */
    private static void delete(Path folder) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "sqlite-*")) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException inUse) {
            folder.toFile()
                    .deleteOnExit(); // as on NFS, which keeps open files until they are closed
        }
    }
}
