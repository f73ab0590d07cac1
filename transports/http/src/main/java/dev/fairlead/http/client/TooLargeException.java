package dev.fairlead.http.client;

import java.io.IOException;

/** The server sent more than this side takes; to ask for it once more would not help. */
final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1;

    TooLargeException(int maxSize) {
        super("a message of the server is larger than " + maxSize + " bytes");
    }
}
