package dev.fairlead.test.support;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A port for a program that cannot choose one, or for a server that is to start there again. */
public final class FreePort {
    private FreePort() {}

    /** Returns a free port that the system gives to no program by itself. */
    public static int find() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (BindException e) {
                // another one
            }
        }
    }
}
