package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;

/**
 * The file behind a path, by which one is noticed that was deleted or replaced while it is open.
 *
 * @param key of the file system; null where it has none, as on Windows, where an open file cannot
 *     be replaced
 */
record FileIdentity(Path path, @Nullable Object key) {
    static FileIdentity of(Path path) throws IOException {
        return new FileIdentity(path, key(path));
    }

    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /**
     * Checks that the path still leads to the file.
     *
     * @throws SQLException if it does not: another process may have opened the present file
     */
    void require() throws SQLException {
        try {
            Object now = key(path);
            if (key == null || key.equals(now)) {
                return;
            }
        } catch (NoSuchFileException e) {
            // said below
        } catch (IOException e) {
            throw new SQLException(path + " cannot be looked at: " + e, e);
        }
        throw new SQLException(
                path
                        + " was deleted, moved or replaced while it was open, so another process"
                        + " may use the database; nothing is written any more: restart this"
                        + " process");
    }

    /**
     * Checks that a file has one name: SQLite and this library keep the files of a database under
     * its name.
     *
     * @throws IOException if it has several
     */
    static void requireOneName(Path path) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("unix")
                && Files.getAttribute(path, "unix:nlink", LinkOption.NOFOLLOW_LINKS)
                        instanceof Integer names
                && names > 1) {
            throw new IOException(
                    path
                            + " has "
                            + names
                            + " names (hard links); another process could open it by another one:"
                            + " remove the others, or use a copy");
        }
    }
}
