package dev.fairlead.http.exchange;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** An input stream whose reads are observed. */
public abstract class ObservedInputStream extends FilterInputStream {
    protected ObservedInputStream(InputStream in) {
        super(in);
    }

    /**
     * Called after each read.
     *
     * @param bytes how many came; negative at the end
     * @throws IOException in place of the bytes that were read
     */
    protected abstract void onRead(int bytes) throws IOException;

    @Override
    public int read() throws IOException {
        int next = in.read();
        onRead(next < 0 ? next : 1);
        return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = in.read(bytes, offset, length);
        onRead(read);
        return read;
    }
}
