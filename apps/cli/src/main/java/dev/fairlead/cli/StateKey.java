package dev.fairlead.cli;

import picocli.CommandLine.Command;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.Callable;

/** {@code fairlead state-key}. */
@Command(
        name = "state-key",
        description = "Prints a new random key that seals the request state of servers.",
        footer = {"", "Examples:", "  fairlead state-key >> state-keys", "  chmod 600 state-keys"})
final class StateKey implements Callable<Integer> {
    private static final int BYTES = 32;

    private final Console console;

    StateKey(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        byte[] key = new byte[BYTES];
        new SecureRandom().nextBytes(key);
        console.out().println(Base64.getEncoder().encodeToString(key));
        console.out().flush();
        return ExitStatus.OK;
    }
}
