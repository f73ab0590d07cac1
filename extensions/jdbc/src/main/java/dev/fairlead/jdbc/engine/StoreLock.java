package dev.fairlead.jdbc.engine;

import dev.fairlead.protocol.platform.UserFiles;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Proof that this process alone has a database file open, and that every process that had it before
 * is dead: the operating system gives the lock back when a process ends, however it ends, and not
 * before. The lock is on a file of its own beside the database, since SQLite opens and closes the
 * database as it likes and closing any descriptor of a file ends all locks that the process has on
 * it.
 */
final class StoreLock implements AutoCloseable {
    /**
     * The lock files that this process holds. For the reason above a second one must not even be
     * opened: it would end the lock when it is closed.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    /** A lock file contains the number of a process. */
    private static final int LONGEST = 32;

    private static final Set<OpenOption> OPTIONS =
            Set.of(
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);

    private final FileIdentity file;
    private final FileChannel channel;
    private final boolean fresh;

    private StoreLock(FileIdentity file, FileChannel channel, boolean fresh) {
        this.file = file;
        this.channel = channel;
        this.fresh = fresh;
    }

    static StoreLock of(Path database) throws SQLException, IOException {
        Path path = database.resolveSibling(database.getFileName() + ".lock");
        if (!HELD.add(path)) {
            throw new SQLException(database + " is open already in this process");
        }
        try {
            return lock(database, path);
        } catch (SQLException | IOException e) {
            HELD.remove(path);
            throw e;
        }
    }

    private static StoreLock lock(Path database, Path path) throws SQLException, IOException {
        OwnFiles.secure(path);
        FileChannel channel = FileChannel.open(path, OPTIONS, UserFiles.with("rw-------", path));
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new SQLException(
                        "%s is in use by another process%s; a database file belongs to one process"
                                .formatted(database, holder(path)));
            }
            if (channel.size() > LONGEST) {
                throw new SQLException(
                        path + " is not a lock file; move it away or use another name");
            }
            boolean fresh = channel.size() == 0;
            channel.truncate(0);
            channel.write(StandardCharsets.UTF_8.encode(ProcessHandle.current().pid() + "\n"));
            return new StoreLock(FileIdentity.of(path), channel, fresh);
        } catch (SQLException | IOException e) {
            channel.close();
            throw e;
        }
    }

    /** The process id in the lock file; empty on systems whose locks forbid reading. */
    private static String holder(Path path) {
        try {
            String pid = Files.readString(path).strip();
            return pid.isEmpty() ? "" : " (" + pid + ")";
        } catch (IOException unreadable) {
            return "";
        }
    }

    /**
     * Returns whether no process had a lock of this name before: the file is new or was emptied.
     */
    boolean isFresh() {
        return fresh;
    }

    /**
     * Checks that the lock is still the one of the database.
     *
     * @throws SQLException if its file was deleted or replaced
     */
    void require() throws SQLException {
        file.require();
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            HELD.remove(file.path());
        }
    }
}
