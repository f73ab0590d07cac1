package dev.fairlead.http.client;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/** The server does not speak HTTP+SSE of revision 2024-11-05. */
final class NoLegacyStreamException extends IOException {
    private static final long serialVersionUID = 1;

    NoLegacyStreamException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}
