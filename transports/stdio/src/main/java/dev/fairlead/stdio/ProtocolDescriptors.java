package dev.fairlead.stdio;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Moves standard input and output to descriptors of their own, so that nothing but the protocol
 * leads there: neither a stream that was kept before, nor a child process that inherits descriptor
 * 0 or 1.
 *
 * <p>Java opens the same pipe, file or terminal once more by {@code /dev/fd/1}. That fails for a
 * socket on Linux, which Node.js makes for the standard streams of its children: then the system
 * has to duplicate the descriptor, see {@link NativeDescriptors}, and descriptor 1 leads to
 * standard error from then on. Otherwise it leads to {@code /dev/null}: to close it is all that
 * Java can do without native calls, which would add a fifth to the CPU time of a start.
 */
final class ProtocolDescriptors {
    private static final System.Logger LOGGER =
            System.getLogger(ProtocolDescriptors.class.getName());

    private static final int STANDARD_INPUT = 0;
    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERROR = 2;
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final String INPUT_AGAIN = "/proc/self/fd/" + STANDARD_INPUT;
    private static final String OUTPUT_AGAIN = "/dev/fd/" + STANDARD_OUTPUT;

    private ProtocolDescriptors() {}

    /**
     * Returns the input of the protocol. On Linux, a pipe or a socket is moved, and all others
     * cannot read from standard input. A file is not: opened once more, it would start at its
     * beginning.
     */
    static FileInputStream takeInput() throws IOException {
        Optional<FileInputStream> own = moveInput(kind(STANDARD_INPUT));
        if (own.isEmpty()) {
            return new FileInputStream(FileDescriptor.in);
        }
        new FileInputStream(FileDescriptor.in).close();
        return own.get();
    }

    private static Optional<FileInputStream> moveInput(String kind) throws IOException {
        if (kind.startsWith("pipe:")) {
            try {
                return Optional.of(new FileInputStream(INPUT_AGAIN));
            } catch (FileNotFoundException e) { // as of a pipe that another user has made
                return duplicate(STANDARD_INPUT).map(FileInputStream::new);
            }
        }
        return kind.startsWith("socket:")
                ? duplicate(STANDARD_INPUT).map(FileInputStream::new)
                : Optional.empty();
    }

    /**
     * Returns the descriptor for the output of the protocol; that of standard output where it
     * cannot be moved, as on Windows.
     */
    static FileDescriptor takeOutput() throws IOException {
        try {
            FileDescriptor own = new FileOutputStream(OUTPUT_AGAIN, true).getFD();
            new FileOutputStream(FileDescriptor.out).close();
            return own;
        } catch (FileNotFoundException e) {
            Optional<FileDescriptor> own = duplicate(STANDARD_OUTPUT);
            if (own.isPresent()) {
                NativeDescriptors.duplicate(STANDARD_ERROR, STANDARD_OUTPUT);
            }
            return own.orElseGet(ProtocolDescriptors::notMoved);
        }
    }

    private static FileDescriptor notMoved() {
        LOGGER.log(
                kind(STANDARD_OUTPUT).startsWith("socket:") ? Level.WARNING : Level.DEBUG,
                "Standard output cannot be moved: output of child processes gets among the"
                        + " messages; on Linux use JDK 22 or newer with"
                        + " --enable-native-access=ALL-UNNAMED");
        return FileDescriptor.out;
    }

    /** Opens a file of the process that no other code has open, and has its descriptor replaced. */
    private static Optional<FileDescriptor> duplicate(int standard) throws IOException {
        Path file = Path.of("/proc", Long.toString(ProcessHandle.current().pid()), "comm");
        if (!Files.isWritable(file)) {
            return Optional.empty();
        }
        FileOutputStream opened = new FileOutputStream(file.toFile(), true);
        Optional<Integer> number = number(file);
        if (number.isPresent() && NativeDescriptors.duplicate(standard, number.get())) {
            return Optional.of(opened.getFD());
        }
        opened.close();
        return Optional.empty();
    }

    /** The number of the only descriptor of this file. */
    private static Optional<Integer> number(Path file) throws IOException {
        Integer found = null;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : descriptors) {
                if (leadsTo(descriptor, file)) {
                    if (found != null) {
                        return Optional.empty();
                    }
                    found = Integer.valueOf(descriptor.getFileName().toString());
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return Optional.ofNullable(found);
    }

    /** The file that a descriptor leads to, such as {@code pipe:[17]}; empty but on Linux. */
    private static String kind(int descriptor) {
        try {
            Path link = DESCRIPTORS.resolve(Integer.toString(descriptor));
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) { // not Linux
            return "";
        }
    }

    private static boolean leadsTo(Path descriptor, Path file) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file);
        } catch (IOException e) { // closed meanwhile
            return false;
        }
    }
}
