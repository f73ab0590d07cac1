package dev.fairlead.cli.shell;

import dev.fairlead.jsonrpc.CallException;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A list of the server, kept from one look to the next. Thread-safe. */
final class Kept<T> {
    private final Source<T> source;
    private volatile @Nullable List<T> list;

    Kept(Source<T> source) {
        this.source = source;
    }

    /** The source of the list. */
    @FunctionalInterface
    interface Source<T> {
        List<T> read() throws InterruptedException;
    }

    /** The list; empty where it cannot be had now. */
    List<T> get() {
        List<T> known = list;
        if (known != null) {
            return known;
        }
        try {
            List<T> read = source.read();
            list = read;
            return read;
        } catch (CallException e) {
            return List.of(); // nothing to propose; a command will say why
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    /** The next look reads the list again. */
    void forget() {
        list = null;
    }
}
