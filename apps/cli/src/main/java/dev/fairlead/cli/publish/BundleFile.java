package dev.fairlead.cli.publish;

import dev.fairlead.protocol.platform.UserFiles;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A zip file that keeps the permissions of files, since a host starts the runtime in it. */
final class BundleFile {
    private BundleFile() {}

    /** Writes the contents of a folder, in one step: a reader sees the old file or the new one. */
    static void write(Path folder, Path file) throws IOException {
        Path next = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".new");
        try {
            Files.delete(next); // the file system makes it
            Map<String, ?> options = Map.of("create", "true", "enablePosixFileAttributes", "true");
            try (FileSystem zip = FileSystems.newFileSystem(next, options)) {
                for (Path source : sorted(folder)) {
                    add(source, zip.getPath("/" + folder.relativize(source)));
                }
            }
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private static List<Path> sorted(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> !path.equals(folder)).sorted().toList();
        }
    }

    private static void add(Path source, Path entry) throws IOException {
        if (Files.isDirectory(source)) {
            Files.createDirectory(entry);
        } else {
            Files.copy(source, entry);
        }
        if (UserFiles.hasPermissions(source)) {
            Files.setPosixFilePermissions(entry, Files.getPosixFilePermissions(source));
        }
    }

    /** The digest of a file, in hexadecimal digits. */
    static String sha256(Path file) throws IOException {
        try (DigestInputStream in =
                new DigestInputStream(
                        Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
