package dev.fairlead.stdio;

import java.io.FileDescriptor;
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
 * Moves standard output to a descriptor of its own, so that nothing but the protocol leads there:
 * neither a stream that was kept before, nor a child process that inherits descriptor 1.
 *
 * <p>Java opens the same pipe, file or terminal once more by {@code /dev/fd/1}. That fails for a
 * socket on Linux, which Node.js makes for the standard streams of its children: then the system
 * has to duplicate the descriptor, see {@link NativeDescriptors}, and descriptor 1 leads to
 * standard error from then on. Otherwise it leads to {@code /dev/null}: to close it is all that
 * Java can do without native calls, which would add a fifth to the CPU time of a start.
 */
final class ProtocolOutput {
    private static final System.Logger LOGGER = System.getLogger(ProtocolOutput.class.getName());

    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERROR = 2;
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final String AGAIN = "/dev/fd/" + STANDARD_OUTPUT;

    private ProtocolOutput() {}

    /**
     * Returns the descriptor of the protocol; that of standard output where it cannot be moved, as
     * on Windows.
     */
    static FileDescriptor take() throws IOException {
        try {
            FileDescriptor own = new FileOutputStream(AGAIN, true).getFD();
            new FileOutputStream(FileDescriptor.out).close();
            return own;
        } catch (FileNotFoundException e) {
            return duplicate().orElseGet(ProtocolOutput::notMoved);
        }
    }

    private static FileDescriptor notMoved() {
        LOGGER.log(
                isSocket() ? Level.WARNING : Level.DEBUG,
                "Standard output cannot be moved: output of child processes gets among the"
                        + " messages; on Linux use JDK 22 or newer with"
                        + " --enable-native-access=ALL-UNNAMED");
        return FileDescriptor.out;
    }

    /** Opens a file of the process that no other code has open, and has its descriptor replaced. */
    private static Optional<FileDescriptor> duplicate() throws IOException {
        Path file = Path.of("/proc", Long.toString(ProcessHandle.current().pid()), "comm");
        if (!Files.isWritable(file)) {
            return Optional.empty();
        }
        FileOutputStream opened = new FileOutputStream(file.toFile(), true);
        Optional<Integer> number = number(file);
        if (number.isPresent() && NativeDescriptors.duplicate(STANDARD_OUTPUT, number.get())) {
            NativeDescriptors.duplicate(STANDARD_ERROR, STANDARD_OUTPUT);
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

    private static boolean isSocket() {
        try {
            Path descriptor = DESCRIPTORS.resolve(Integer.toString(STANDARD_OUTPUT));
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException e) { // not Linux
            return false;
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
