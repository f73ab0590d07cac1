package dev.fairlead.cli.hosts;

import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.protocol.platform.UserFiles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * A file as it will be.
 *
 * @param before its text now; empty if there is no such file
 * @param after its text after {@link #write}
 */
public record FileChange(Path path, String before, String after) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    /**
     * Writes the file in one step: a reader sees the old or the new. The file keeps its
     * permissions; a new one can be read by the user alone. A link stays one.
     *
     * @param now is in the name of the copy
     * @return the copy of the file as it was; empty if there was none
     * @throws TargetException if the file cannot be written, or has changed meanwhile
     */
    public Optional<Path> write(LocalDateTime now) {
        try {
            if (!Files.exists(path)) {
                Files.createDirectories(path.getParent());
                UserFiles.replace(path, after);
                return Optional.empty();
            }
            Path file = path.toRealPath();
            String text = Files.readString(file);
            if (!text.equals(before) && !text.equals("\uFEFF" + before)) {
                throw new TargetException(
                        path + ": another program has changed it meanwhile; try again");
            }
            Path copy = copy(file, now);
            Path next = next(file);
            try {
                Files.writeString(next, after);
                Files.move(
                        next,
                        file,
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(next);
            }
            return Optional.of(copy);
        } catch (IOException e) {
            throw new TargetException(path + ": cannot be written: " + UserFiles.reason(e));
        }
    }

    private static Path copy(Path file, LocalDateTime now) throws IOException {
        String name = file.getFileName() + "." + TIME.format(now);
        Path copy = file.resolveSibling(name + ".bak");
        for (int i = 2; Files.exists(copy); i++) {
            copy = file.resolveSibling(name + "-" + i + ".bak");
        }
        return Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
    }

    private static Path next(Path file) throws IOException {
        Path next =
                Files.createTempFile(
                        file.getParent(),
                        file.getFileName().toString(),
                        ".new",
                        UserFiles.with("rw-------", file));
        if (UserFiles.hasPermissions(file)) {
            Files.setPosixFilePermissions(next, Files.getPosixFilePermissions(file));
        }
        return next;
    }
}
