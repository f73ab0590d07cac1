package dev.fairlead.http.sse;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/** The server does not speak HTTP+SSE of revision 2024-11-05. */
public final class NoLegacyStreamException extends IOException {
    private static final long serialVersionUID = 1;

    public NoLegacyStreamException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}
