package dev.fairlead.http.blocking;

import java.io.IOException;

/** A proxy does not connect to the server. */
public final class TunnelRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    private final int status;

    TunnelRefusedException(int status) {
        super("status " + status);
        this.status = status;
    }

    /** Returns the status with which the proxy answered. */
    public int status() {
        return status;
    }
}
