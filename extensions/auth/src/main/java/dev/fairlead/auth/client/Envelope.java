package dev.fairlead.auth.client;

import java.io.IOException;

/** How the text of a file stands in it. Safe for use by several threads. */
interface Envelope {
    /** Leaves the text unchanged. */
    Envelope NONE =
            new Envelope() {
                @Override
                public String open(String closed) {
                    return closed;
                }

                @Override
                public String close(String text) {
                    return text;
                }

                @Override
                public void begin() {}
            };

    /**
     * Returns the text in the content of the file.
     *
     * @throws IOException if it cannot be had; the message says why
     */
    String open(String closed) throws IOException;

    /** Returns the content for the file. Only one process at a time does this. */
    String close(String text) throws IOException;

    /**
     * Begins without a file: no former content needs to be opened. Only one process at a time does
     * this, ahead of {@link #close}.
     */
    void begin();
}
