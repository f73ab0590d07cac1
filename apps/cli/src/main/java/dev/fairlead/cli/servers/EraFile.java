package dev.fairlead.cli.servers;

import dev.fairlead.client.EraMemory;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.platform.UserFiles;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the eras of servers between commands, in a file of its owner. It contains the hash of each
 * {@link Target#place}, the era and when that was found out, and nothing else. A file that cannot
 * be used is ignored and replaced. Where two processes write at once, the entry of one is lost and
 * found out again.
 */
public final class EraFile {
    private static final System.Logger LOGGER = System.getLogger(EraFile.class.getName());

    private static final int VERSION = 1;
    private static final int MAX_SERVERS = 256;
    private static final int MAX_BYTES = 64 << 10;

    /** A server with a handshake may be replaced by a newer one. */
    private static final Duration HANDSHAKE = Duration.ofHours(1);

    private static final Set<PosixFilePermission> WRITABLE_BY_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    /** Of this process. */
    private static final ReentrantLock LOCK = new ReentrantLock();

    private final Path file;
    private final Clock clock;

    EraFile(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    /** The file of the user: {@code $XDG_STATE_HOME/fairlead/eras.json}. */
    public static EraFile of(Environment environment) {
        return new EraFile(environment.state().resolve("eras.json"), Clock.systemUTC());
    }

    /** Returns what is kept of one server. */
    public EraMemory of(Target target) {
        return new EraMemory() {
            @Override
            public Optional<Era> find() {
                return Optional.ofNullable(load().get(target.place())).map(Entry::era);
            }

            @Override
            public void keep(Era era) {
                change(target.place(), new Entry(era, clock.instant()));
            }

            @Override
            public void forget() {
                change(target.place(), null);
            }
        };
    }

    private record Entry(Era era, Instant since) {
        static Entry read(JsonValue value) {
            JsonObject entry = (JsonObject) value;
            Era era =
                    switch (entry.string("era")) {
                        case "handshake" -> Era.HANDSHAKE;
                        case "per-request" -> Era.PER_REQUEST;
                        case String other ->
                                throw new IllegalArgumentException("unknown era " + other);
                    };
            return new Entry(era, Instant.parse(entry.string("since")));
        }

        JsonObject written() {
            return JsonObject.of(
                    "era",
                    era == Era.HANDSHAKE ? "handshake" : "per-request",
                    "since",
                    since.toString());
        }

        boolean holdsAt(Instant now) {
            return !since.isAfter(now)
                    && (era == Era.PER_REQUEST || now.isBefore(since.plus(HANDSHAKE)));
        }
    }

    private void change(String place, @Nullable Entry entry) {
        LOCK.lock();
        try {
            Map<String, Entry> entries = load();
            boolean changed =
                    entry == null
                            ? entries.remove(place) != null
                            : !entry.equals(entries.put(place, entry));
            if (changed) {
                replace(entries);
            }
        } catch (IOException | UnsupportedOperationException e) {
            LOGGER.log(Level.DEBUG, "The eras of servers are not kept in {0}: {1}", file, e);
        } finally {
            LOCK.unlock();
        }
    }

    // ---- the file

    /** Reads the entries that still hold; none where the file cannot be used. */
    private Map<String, Entry> load() {
        try {
            return read();
        } catch (NoSuchFileException e) {
            return new HashMap<>();
        } catch (IOException
                | JsonException
                | IllegalArgumentException
                | DateTimeException
                | ClassCastException e) {
            LOGGER.log(Level.DEBUG, "Ignored {0}, which cannot be used: {1}", file, e);
            return new HashMap<>();
        }
    }

    private Map<String, Entry> read() throws IOException {
        checkOwn();
        JsonObject whole = (JsonObject) JsonValue.parse(UserFiles.read(file, MAX_BYTES));
        if (whole.integer("version") != VERSION) {
            throw new IllegalArgumentException("unknown version " + whole.get("version"));
        }
        Map<String, Entry> entries = new HashMap<>();
        for (Map.Entry<String, JsonValue> member : whole.object("servers").members().entrySet()) {
            Entry entry = Entry.read(member.getValue());
            if (entry.holdsAt(clock.instant())) {
                entries.put(member.getKey(), entry);
            }
        }
        return entries;
    }

    /** Others must not choose the revision that this user speaks. */
    private void checkOwn() throws IOException {
        if (!Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isRegularFile()) {
            throw new IOException("it is not a regular file");
        }
        if (UserFiles.hasPermissions(file)
                && Files.getPosixFilePermissions(file).stream()
                        .anyMatch(WRITABLE_BY_OTHERS::contains)) {
            throw new IOException("other users may write it");
        }
    }

    private void replace(Map<String, Entry> entries) throws IOException {
        List<Map.Entry<String, Entry>> newest =
                entries.entrySet().stream()
                        .sorted(
                                Comparator.comparing(
                                                (Map.Entry<String, Entry> kept) ->
                                                        kept.getValue().since())
                                        .reversed())
                        .limit(MAX_SERVERS)
                        .toList();
        JsonObject servers = JsonObject.EMPTY;
        for (Map.Entry<String, Entry> kept : newest) {
            servers = servers.with(kept.getKey(), kept.getValue().written());
        }
        UserFiles.createFolderOf(file);
        UserFiles.replace(file, JsonObject.of("version", VERSION, "servers", servers).toJson());
    }
}
