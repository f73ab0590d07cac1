package dev.fairlead.http.spi;

import java.io.IOException;

/** Thrown where a client has announced more bytes of a body than its handler takes. */
public final class BodyTooLongException extends IOException {
    private static final long serialVersionUID = 1;

    private final long announced;

    public BodyTooLongException(long announced) {
        super("The client announces a body of at least " + announced + " bytes");
        this.announced = announced;
    }

    /** Returns how many bytes the body has at least. */
    public long announced() {
        return announced;
    }
}
