package dev.fairlead.cli.view;

import dev.fairlead.protocol.InvalidResultException;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The place for attachments: a folder that exists, or else a file that does not. No file is ever
 * overwritten, and no name of a server leads out of the folder.
 */
public final class OutPath {
    private static final int MAX_NUMBER = 10_000;

    private final Path path;
    private final boolean folder;

    private OutPath(Path path, boolean folder) {
        this.path = path;
        this.folder = folder;
    }

    /**
     * The place that a user names. A path that ends with a slash must be a folder.
     *
     * @throws IOException if there is a file already, or no folder that could take one; the message
     *     is for the user
     */
    public static OutPath of(String named) throws IOException {
        Path path = Path.of(named);
        if (Files.isDirectory(path)) {
            return new OutPath(path, true);
        }
        if (named.endsWith("/")) {
            throw new IOException(named + ": no such folder");
        }
        if (Files.exists(path)) {
            throw new IOException(named + ": exists already and is not overwritten");
        }
        Path parent = path.toAbsolutePath().getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw new IOException(named + ": no such folder: " + parent);
        }
        return new OutPath(path, false);
    }

    /**
     * Saves attachments. In a folder each gets a name of its own; the file takes the first, and
     * those behind it get numbers.
     *
     * @param saved receives each when it is saved
     * @throws InvalidResultException if one is not base64; those before it are saved
     * @throws IOException if one cannot be written; those before it are saved
     */
    public void save(List<Attachment> attachments, BiConsumer<Attachment, Path> saved)
            throws IOException {
        boolean mayBeNumbered = folder;
        for (Attachment attachment : attachments) {
            Path wish = folder ? path.resolve(attachment.name()) : path;
            saved.accept(attachment, write(wish, bytes(attachment), mayBeNumbered));
            mayBeNumbered = true;
        }
    }

    private static byte[] bytes(Attachment attachment) {
        try {
            return attachment.bytes();
        } catch (IllegalArgumentException e) {
            throw new InvalidResultException(
                    attachment.name() + ": the server sent invalid base64", e);
        }
    }

    private static Path write(Path wish, byte[] bytes, boolean mayBeNumbered) throws IOException {
        for (int number = 1; number < MAX_NUMBER; number++) {
            Path file = number == 1 ? wish : numbered(wish, number);
            try {
                return Files.write(file, bytes, StandardOpenOption.CREATE_NEW);
            } catch (FileAlreadyExistsException e) {
                if (!mayBeNumbered) {
                    throw new IOException(wish + ": exists already and is not overwritten", e);
                }
            }
        }
        throw new IOException(wish + ": too many files have this name");
    }

    private static Path numbered(Path file, int number) {
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        int end = dot > 0 ? dot : name.length();
        return file.resolveSibling(name.substring(0, end) + "-" + number + name.substring(end));
    }
}
