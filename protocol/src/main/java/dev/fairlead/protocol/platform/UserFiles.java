package dev.fairlead.protocol.platform;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only their owner may read, and why one cannot be used. */
public final class UserFiles {
    private UserFiles() {}

    /** Whether the file system of a path has POSIX permissions. */
    public static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /**
     * The attributes with which a file or folder is created; none where its file system has no
     * POSIX permissions.
     *
     * @param permissions such as {@code rw-------}
     */
    public static FileAttribute<?>[] with(String permissions, Path path) {
        return hasPermissions(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * Returns why a file could not be created or used, for people: some of the JDK are only a path.
     */
    public static String reason(IOException failure) {
        return switch (failure) {
            case FileAlreadyExistsException used -> used.getFile() + " is not a folder";
            case NoSuchFileException none -> none.getFile() + " cannot be created";
            case AccessDeniedException denied -> denied.getFile() + ": Permission denied";
            case CharacterCodingException bytes -> "it is not text in UTF-8";
            default -> String.valueOf(failure.getMessage());
        };
    }
}
