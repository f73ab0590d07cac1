package dev.fairlead.server.requeststate;

import dev.fairlead.protocol.StateKeySource;
import dev.fairlead.protocol.platform.RandomBytes;
import dev.fairlead.protocol.platform.UserFiles;
import dev.fairlead.protocol.time.PeriodicTask;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The keys of states: the first seals, all open. Thread-safe. */
public final class StateKeys {
    private static final System.Logger LOGGER = System.getLogger(StateKeys.class.getName());
    private static final int MAX_KEYS = 100;
    private static final int MAX_FILE = 64 << 10;

    /** A file is read at most once in each period of so many nanoseconds. */
    private static final long CHECK = Duration.ofSeconds(5).toNanos();

    /** The interval at which a source is read. */
    private static final Duration POLL = Duration.ofSeconds(10);

    /** Whether other processes may have the same keys. */
    final boolean shared;

    private final @Nullable Path file;
    private final @Nullable StateKeySource source;
    private final AtomicLong checked = new AtomicLong(Long.MIN_VALUE); // the last period; or never
    private final AtomicReference<List<StateKey>> keys;
    private volatile boolean broken;

    private StateKeys(@Nullable Path file, List<StateKey> keys, boolean shared) {
        this(file, null, keys, shared);
    }

    private StateKeys(
            @Nullable Path file,
            @Nullable StateKeySource source,
            List<StateKey> keys,
            boolean shared) {
        this.file = file;
        this.source = source;
        this.keys = new AtomicReference<>(keys);
        this.shared = shared;
    }

    /**
     * Keys in a file, which is read again within 10 seconds of a change.
     *
     * @throws UncheckedIOException if it cannot be read
     * @throws IllegalArgumentException if it does not hold keys
     */
    public static StateKeys in(Path file) {
        return new StateKeys(file, read(file), true);
    }

    /** Keys of a source, to be {@linkplain #open opened} before they are used. */
    public static StateKeys of(StateKeySource source) {
        return new StateKeys(null, Objects.requireNonNull(source, "source"), List.of(), true);
    }

    /**
     * Reads the keys of a source, and again at an interval for as long as the timers last; does
     * nothing for others.
     *
     * @throws RuntimeException if they cannot be read now
     */
    public void open(Duration ttl, Timers timers) {
        StateKeySource read = source;
        if (read != null) {
            keys.set(read(read, ttl));
            new PeriodicTask("mcp-state-keys", POLL, timers, () -> readAgain(() -> read(read, ttl)))
                    .start();
        }
    }

    private static List<StateKey> read(StateKeySource source, Duration ttl) {
        return counted("", source.read(ttl).stream().map(StateKey::of).toList());
    }

    /**
     * These keys.
     *
     * @throws IllegalArgumentException if there are none, or one has fewer than 32 bytes
     */
    public static StateKeys of(List<byte[]> keys) {
        return new StateKeys(null, counted("", keys.stream().map(StateKey::of).toList()), true);
    }

    /** A key of this process alone. */
    public static StateKeys ofProcess() {
        return new StateKeys(null, List.of(), false);
    }

    /**
     * Reads a file: one key a line, in Base64; empty lines and those that begin with # are skipped.
     *
     * @throws UncheckedIOException if it cannot be read or is too large
     * @throws IllegalArgumentException if a line is no key, or there is none
     */
    private static List<StateKey> read(Path file) {
        try {
            return parse(file.toString(), UserFiles.read(file, MAX_FILE));
        } catch (IOException e) {
            String reason = UserFiles.reason(e);
            throw new UncheckedIOException(
                    "the keys of request states in " + file + " cannot be read: " + reason, e);
        }
    }

    /**
     * Returns the keys of a text with the content of a file.
     *
     * @throws IllegalArgumentException if a line is no key, or there is none
     */
    public static StateKeys of(String text) {
        return new StateKeys(null, parse("the keys of request states", text), true);
    }

    private static List<StateKey> parse(String source, String text) {
        List<String> lines = text.lines().map(String::strip).toList();
        List<StateKey> keys =
                IntStream.range(0, lines.size())
                        .filter(i -> !lines.get(i).isEmpty() && !lines.get(i).startsWith("#"))
                        .mapToObj(i -> key(source + ", line " + (i + 1), lines.get(i)))
                        .toList();
        return counted(source + ": ", keys);
    }

    private static StateKey key(String place, String base64) {
        try {
            return StateKey.of(Base64.getDecoder().decode(base64));
        } catch (IllegalArgumentException e) { // whose message may have a part of the key
            throw new IllegalArgumentException(
                    place + ": a key has at least " + StateKey.MIN_BYTES + " bytes in Base64");
        }
    }

    private static List<StateKey> counted(String place, List<StateKey> keys) {
        if (keys.isEmpty() || keys.size() > MAX_KEYS) {
            throw new IllegalArgumentException(
                    place + "there must be 1 to " + MAX_KEYS + " keys but are " + keys.size());
        }
        return keys;
    }

    /** Returns the keys at the moment, at least one. */
    List<StateKey> current(LongSupplier nanos) {
        List<StateKey> known = keys.get();
        if (known.isEmpty()) { // a key of this process, which is made when it is needed
            keys.compareAndSet(known, List.of(StateKey.of(RandomBytes.of(StateKey.MIN_BYTES))));
        }
        long period = nanos.getAsLong() / CHECK;
        if (file != null && checked.get() != period && checked.getAndSet(period) != period) {
            readAgain(() -> read(file));
        }
        return keys.get();
    }

    private void readAgain(Supplier<List<StateKey>> reading) {
        try {
            List<StateKey> fresh = reading.get();
            if (!ids(fresh).equals(ids(keys.getAndSet(fresh)))) {
                LOGGER.log(Level.INFO, "The keys of request states were read again");
            }
            broken = false;
        } catch (RuntimeException e) { // of the file, the store, or a line that is no key
            LOGGER.log(
                    broken ? Level.DEBUG : Level.WARNING,
                    "The keys read before stay in use: {0}",
                    e.getMessage());
            broken = true;
        }
    }

    private static List<Integer> ids(List<StateKey> keys) {
        return keys.stream().map(StateKey::id).toList();
    }
}
