package dev.fairlead.cli;

import org.jspecify.annotations.Nullable;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.util.Optional;

/** The standard output of this process, which keeps why a write failed, as no print stream does. */
final class StandardOutput extends FilterOutputStream {
    private volatile @Nullable IOException failure;

    StandardOutput() {
        super(new FileOutputStream(FileDescriptor.out));
    }

    @Override
    public void write(int unit) throws IOException {
        write(new byte[] {(byte) unit}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    /** Returns why the last failed write failed, unless it was because the reader has left. */
    Optional<String> failure() {
        return Optional.ofNullable(failure)
                .map(IOException::getMessage)
                .filter(reason -> !reason.equals("Broken pipe"));
    }
}
