package dev.fairlead.auth.client;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.platform.UserFiles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A JSON object in a file, with the servers as its names. Other names beside those are ignored and
 * kept; a file that has no server among its names is not a store and is refused. A change is made
 * under a lock of a file beside it, written to a new file and moved over the old one.
 */
final class FileTokenStore implements TokenStore {
    private static final Set<PosixFilePermission> OTHERS =
            EnumSet.complementOf(
                    EnumSet.of(
                            PosixFilePermission.OWNER_READ,
                            PosixFilePermission.OWNER_WRITE,
                            PosixFilePermission.OWNER_EXECUTE));

    private static final String REMEDY = "delete it and log in again";

    /** The lock of a file is one of the process: its threads need this besides. */
    private static final ReentrantLock PROCESS = new ReentrantLock();

    private static final StripedLocks TURNS = new StripedLocks();

    private final Path file;
    private final Envelope envelope;
    private final Duration patience;

    FileTokenStore(Path file, Envelope envelope) {
        this(file, envelope, StripedLocks.PATIENCE);
    }

    /**
     * @param patience with others that renew a login
     */
    FileTokenStore(Path file, Envelope envelope, Duration patience) {
        this.file = file.toAbsolutePath();
        this.envelope = envelope;
        this.patience = patience;
    }

    /** A file among the settings of this user. */
    static Path ofUser(String name) {
        return ofUser(name, System.getenv());
    }

    /** The same with these environment variables; as the XDG specification places it. */
    static Path ofUser(String name, Map<String, String> variables) {
        return UserFiles.settings(variables).resolve(name);
    }

    @Override
    public Optional<String> read(URI server) {
        return load().get(server.toString()) instanceof JsonString login
                ? Optional.of(login.value())
                : Optional.empty();
    }

    @Override
    public Set<URI> servers() {
        return load().names().stream()
                .filter(FileTokenStore::isServer)
                .map(URI::create)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public void write(URI server, String login) {
        change(logins -> logins.with(server.toString(), login));
    }

    @Override
    public boolean remove(URI server) {
        boolean[] found = new boolean[1];
        change(
                logins -> {
                    found[0] = logins.has(server.toString());
                    return logins.without(server.toString());
                });
        return found[0];
    }

    private JsonObject load() {
        try {
            if (!Files.exists(file)) {
                return JsonObject.EMPTY;
            }
            if (UserFiles.hasPermissions(file)
                    && Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
                throw new IOException(
                        "others than its owner can read it; take that from them (chmod 600), or "
                                + REMEDY);
            }
            if (JsonValue.parse(envelope.open(Files.readString(file))) instanceof JsonObject logins
                    && (logins.isEmpty()
                            || logins.names().stream().anyMatch(FileTokenStore::isServer))) {
                return logins;
            }
            throw new IOException(
                    "it must be a JSON object of logins by the URLs of servers; " + REMEDY);
        } catch (JsonException | CharacterCodingException e) { // whose message may have a secret
            throw unusable(new IOException("it is no JSON; " + REMEDY));
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    private UncheckedIOException unusable(IOException cause) {
        return new UncheckedIOException(
                "Cannot use " + file + ": " + UserFiles.reason(cause), cause);
    }

    private static boolean isServer(String name) {
        try {
            URI url = new URI(name);
            return url.isAbsolute() && url.getHost() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private void change(UnaryOperator<JsonObject> change) {
        PROCESS.lock();
        try {
            try (FileChannel channel = beside(".lock");
                    FileLock lock = channel.lock()) {
                if (!Files.exists(file)) { // a thread that only reads cannot be sure of this
                    envelope.begin();
                }
                UserFiles.replace(file, envelope.close(change.apply(load()).toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file + ": " + UserFiles.reason(e), e);
        } finally {
            PROCESS.unlock();
        }
    }

    @Override
    public Lease lease(URI server) throws IOException, InterruptedException {
        Lease ofThread = TURNS.take(server, patience);
        try {
            FileTurn ofProcess =
                    FileTurn.take(beside(".turn-" + StripedLocks.place(server)), patience);
            return () -> {
                try (ofThread) {
                    ofProcess.close();
                }
            };
        } catch (IOException | InterruptedException | RuntimeException e) {
            ofThread.close();
            throw e;
        }
    }

    /** A file beside this one that holds nothing but locks. */
    private FileChannel beside(String suffix) throws IOException {
        UserFiles.createFolderOf(file);
        return FileChannel.open(
                file.resolveSibling(file.getFileName() + suffix),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                UserFiles.with("rw-------", file));
    }
}
