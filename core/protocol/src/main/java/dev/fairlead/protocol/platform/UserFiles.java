package dev.fairlead.protocol.platform;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;

/** The private folders and files of a user, and the reasons why one cannot be used. */
public final class UserFiles {
    private UserFiles() {}

    /**
     * Returns the folder for settings: {@code $XDG_CONFIG_HOME/fairlead}.
     *
     * @param variables the environment variables
     */
    public static Path settings(Map<String, String> variables) {
        return folder(variables, "XDG_CONFIG_HOME", ".config");
    }

    /** Returns the folder for state: {@code $XDG_STATE_HOME/fairlead}. */
    public static Path state(Map<String, String> variables) {
        return folder(variables, "XDG_STATE_HOME", ".local/state");
    }

    private static Path folder(Map<String, String> variables, String name, String usual) {
        Path home = absolute(variables, "HOME").orElse(Path.of(System.getProperty("user.home")));
        return absolute(variables, name).orElse(home.resolve(usual)).resolve("fairlead");
    }

    /**
     * Returns the value of a variable, unless it is a relative path: the XDG specification ignores
     * those.
     */
    private static Optional<Path> absolute(Map<String, String> variables, String name) {
        return Optional.ofNullable(variables.get(name)).map(Path::of).filter(Path::isAbsolute);
    }

    /** Returns whether the file system of a path has POSIX permissions. */
    public static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /**
     * Returns the attributes of a new file or folder; none if its file system has no POSIX
     * permissions.
     *
     * @param permissions the permissions, such as {@code rw-------}
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
     * Reads a text in UTF-8.
     *
     * @param most bytes that it may have, in whole KiB
     * @throws IOException if it cannot be read, has more, or is not in UTF-8: see {@link #reason}
     */
    public static String read(Path file, int most) throws IOException {
        try {
            if (Files.size(file) > most) {
                throw new IOException("it has more than " + (most >> 10) + " KiB");
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no such file", e);
        }
    }

    /** Creates the folder of a file. */
    public static void createFolderOf(Path file) throws IOException {
        Files.createDirectories(file.getParent(), with("rwx------", file));
    }

    /** Writes a file, in a folder that is there, in one step: a reader sees the old or the new. */
    public static void replace(Path file, String text) throws IOException {
        Path next =
                Files.createTempFile(
                        file.getParent(),
                        file.getFileName().toString(),
                        ".new",
                        with("rw-------", file));
        try {
            Files.writeString(next, text);
            Files.move(
                    next,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    /**
     * Returns the reason why a file could not be created or used, for people: some messages of the
     * JDK are only a path.
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
