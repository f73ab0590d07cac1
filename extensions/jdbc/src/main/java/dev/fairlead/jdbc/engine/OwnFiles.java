package dev.fairlead.jdbc.engine;

import dev.fairlead.protocol.platform.UserFiles;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Set;

/**
 * Checks files that other users of the machine could have put in place. Where a file system has no
 * POSIX permissions, only links and file types are checked.
 */
final class OwnFiles {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");
    private static final int STICKY = 01000;
    private static final int WRITABLE_BY_OTHERS = 0022;

    private OwnFiles() {}

    /**
     * Checks that a path is a file of this user, or nothing, and takes the access of others away.
     *
     * @throws IOException if it is a symbolic link, a folder, or belongs to another user
     */
    static void secure(Path file) throws IOException {
        BasicFileAttributes found;
        try {
            found = attributes(file);
        } catch (NoSuchFileException absent) {
            return;
        }
        if (found.isSymbolicLink()) {
            throw new IOException(file + " is a symbolic link; name the file that it points to");
        }
        if (!found.isRegularFile()) {
            throw new IOException(file + " is not a file; move it away or use another name");
        }
        if (!(found instanceof PosixFileAttributes posix)) {
            return;
        }
        UserPrincipal user = currentUser(file.getFileSystem());
        if (user != null && !posix.owner().equals(user)) {
            throw new IOException(
                    "%s belongs to the user %s, not to %s; change its owner or use another name"
                            .formatted(
                                    file,
                                    posix.owner().getName(),
                                    System.getProperty("user.name")));
        }
        if (!OWNER_ONLY.containsAll(posix.permissions())) {
            Files.setPosixFilePermissions(file, OWNER_ONLY);
        }
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        Class<? extends BasicFileAttributes> type =
                UserFiles.hasPermissions(path)
                        ? PosixFileAttributes.class
                        : BasicFileAttributes.class;
        return Files.readAttributes(path, type, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Returns whether no user but this one and the administrator can replace the files that this
     * user creates in a folder: that holds if no other user owns the folder or one above it, or may
     * write to them. A folder in which only owners may rename and delete (the sticky bit) counts as
     * such.
     *
     * @param folder an absolute path without symbolic links
     */
    static boolean isProtected(Path folder) throws IOException {
        UserPrincipal user = currentUser(folder.getFileSystem());
        for (Path each = folder; each != null; each = each.getParent()) {
            int mode = (int) Files.getAttribute(each, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            int uid = (int) Files.getAttribute(each, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            boolean owned = uid == 0 || Files.getOwner(each).equals(user);
            if (!owned || (mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0) {
                return false;
            }
        }
        return true;
    }

    /** The user as whom this process creates files; null where the system does not provide it. */
    private static @Nullable UserPrincipal currentUser(FileSystem files) {
        try {
            return files.getUserPrincipalLookupService().lookupPrincipalByName(user(files));
        } catch (IOException | UnsupportedOperationException unknown) {
            return null;
        }
    }

    /**
     * Returns the user of the process, on Linux from the kernel: the property can be set, and lacks
     * users without a name.
     */
    private static String user(FileSystem files) throws IOException {
        Path status = files.getPath("/proc/self/status");
        if (Files.isReadable(status)) {
            List<String> lines = Files.readAllLines(status);
            for (String line : lines) {
                if (line.startsWith("Uid:")) {
                    return line.split("\\s+")[4]; // real, effective, saved, for files
                }
            }
        }
        return System.getProperty("user.name");
    }
}
