package dev.fairlead.cli.shell;

import dev.fairlead.protocol.platform.UserFiles;

import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The lines of earlier sessions, in a file that only its owner can read. */
final class ShellHistory {
    private static final int MAX_LINES = 1_000;

    private ShellHistory() {}

    /** Keeps the lines in this file, the last 1,000 of them. */
    static void keepIn(Path file, LineReaderBuilder reader) throws IOException {
        UserFiles.createFolderOf(file);
        try {
            Files.createFile(file, UserFiles.with("rw-------", file));
        } catch (FileAlreadyExistsException e) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        reader.variable(LineReader.HISTORY_FILE, file)
                .variable(LineReader.HISTORY_SIZE, MAX_LINES)
                .variable(LineReader.HISTORY_FILE_SIZE, MAX_LINES);
    }
}
