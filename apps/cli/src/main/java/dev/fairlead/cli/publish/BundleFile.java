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
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A zip file that keeps the permissions of files, since a host starts the runtime in it. It has no
 * entries for folders: hosts open each entry as a file.
 */
final class BundleFile {
    private BundleFile() {}

    /** Writes the files of a folder, in one step: a reader sees the old file or the new one. */
    static void write(Path folder, Path file) throws IOException {
        Path next = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".new");
        try {
            Files.delete(next); // the one that is made instead has the usual permissions
            List<Path> sources = files(folder);
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(next))) {
                for (Path source : sources) {
                    zip.putNextEntry(new ZipEntry(name(folder, source)));
                    Files.copy(source, zip);
                }
            }
            Map<String, ?> options = Map.of("enablePosixFileAttributes", "true");
            try (FileSystem zip = FileSystems.newFileSystem(next, options)) {
                for (Path source : sources) {
                    copyPermissions(source, zip.getPath(name(folder, source)));
                }
            }
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static String name(Path folder, Path source) {
        return folder.relativize(source).toString().replace('\\', '/');
    }

    private static void copyPermissions(Path source, Path entry) throws IOException {
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
