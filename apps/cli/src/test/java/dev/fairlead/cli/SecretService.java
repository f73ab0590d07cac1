package dev.fairlead.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A real keyring, unlocked, on a bus of its own. Needs dbus and gnome-keyring. */
final class SecretService implements AutoCloseable {
    /** The first question that it answers starts it, if need be, and waits until it is there. */
    private static final String START =
            "printf secret | gnome-keyring-daemon --unlock --components=secrets >/dev/null"
                    + " && dbus-send --print-reply --dest=org.freedesktop.secrets"
                    + " /org/freedesktop/secrets org.freedesktop.DBus.Peer.Ping >/dev/null"
                    + " && echo \"$DBUS_SESSION_BUS_ADDRESS\" && exec cat";

    private final Process process;
    private final String bus;

    /**
     * @param folder where it keeps its secrets
     */
    SecretService(Path folder) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("dbus-run-session", "--", "sh", "-c", START);
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("XDG_DATA_HOME", made(folder.resolve("data")));
        builder.environment().put("XDG_RUNTIME_DIR", made(folder.resolve("run")));
        process = builder.start();
        bus = process.inputReader().readLine();
        if (bus == null) {
            throw new IOException("the keyring did not start");
        }
    }

    private static String made(Path folder) throws IOException {
        return Files.createDirectories(folder).toString();
    }

    /** The environment in which programs find it. */
    Map<String, String> environment() {
        return Map.of("DBUS_SESSION_BUS_ADDRESS", bus);
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close(); // the bus ends with the shell, the keyring with the bus
        process.onExit().join();
    }
}
