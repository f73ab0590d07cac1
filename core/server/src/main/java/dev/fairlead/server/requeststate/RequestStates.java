package dev.fairlead.server.requeststate;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.RequestStateRefusal;
import dev.fairlead.protocol.RequestStateRefusal.Cause;
import dev.fairlead.protocol.platform.RandomBytes;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals and opens states. A state is {@code v1.} and the unpadded Base64 (URL alphabet) of the id
 * of a key (4 bytes), a salt (16), and the content encrypted by AES-256-GCM. Its AES key is the
 * HMAC-SHA-256, under the named key, of a label and the salt: since each state has a key of its
 * own, the nonce is fixed, and no count of states wears a key out. The associated data are version,
 * key id and the digest of the {@link StateBinding}. Thread-safe.
 */
public final class RequestStates {
    private static final System.Logger LOGGER = System.getLogger(RequestStates.class.getName());

    private static final String VERSION = "v1.";
    private static final byte[] VERSION_BYTES = VERSION.getBytes(StandardCharsets.UTF_8);
    private static final int ID = 4;
    private static final int SALT = 16;
    private static final int HEAD = ID + SALT;
    private static final int TAG = 16;
    private static final GCMParameterSpec NONCE = new GCMParameterSpec(TAG * 8, new byte[12]);
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    /** Of the cipher: it takes long to find, and a server that seals nothing starts without. */
    private static volatile @Nullable Provider provider;

    /** Arrays that are reused, since a new one costs more than to fill it; without any secret. */
    private static final Queue<byte[]> SPARES = new ArrayBlockingQueue<>(4);

    /** The length of each: the states of most servers have fewer bytes. */
    private static final int SPARE = 40 << 10;

    private static final Duration SKEW = Duration.ofSeconds(60);
    private static final JsonCodec<StateContent> CODEC = JsonCodec.of(StateContent.class);

    private final StateSettings settings;
    private final Timers timers;
    private final Consumer<RequestStateRefusal> onRefused;
    private final AtomicLongArray refused = new AtomicLongArray(Cause.values().length);
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param onRefused is given each request that is refused, and returns soon
     */
    public RequestStates(
            StateSettings settings, Timers timers, Consumer<RequestStateRefusal> onRefused) {
        this.settings = settings;
        this.timers = timers;
        this.onRefused = onRefused;
    }

    /**
     * Reads the keys where a store has them.
     *
     * @throws RuntimeException if they cannot be read
     */
    public void open() {
        settings.keys().open(settings.ttl(), timers);
    }

    /** Returns secrets by which the nodes that share the keys authenticate each other. */
    public List<byte[]> ofPeers() {
        return settings.keys().shared
                ? settings.keys().current(timers::nanoTime).stream().map(StateKey::ofPeers).toList()
                : List.of();
    }

    /** Returns how many states were refused for this cause. */
    public long refused(Cause cause) {
        return refused.get(cause.ordinal());
    }

    /**
     * Seals a state.
     *
     * @param mayMove whether another process may get the state back
     * @throws JsonRpcException {@code -32603} if it is too large
     */
    public String seal(StateContent content, StateBinding binding, boolean mayMove) {
        if (mayMove && !settings.keys().shared && warned.compareAndSet(false, true)) {
            LOGGER.log(
                    Level.WARNING,
                    "Request states are sealed with a key of this process: a client that answers"
                            + " another process, or after a restart, is refused. Set"
                            + " McpServer.Builder.store, or"
                            + " McpServer.Builder.requestState(RequestState.keys(…))");
        }
        long now = timers.clock().millis();
        StateKey key = settings.keys().current(timers::nanoTime).get(0);
        byte[] room = spare(SPARE);
        JsonWriter writer = new JsonWriter(room);
        CODEC.write(content.during(now, now + settings.ttl().toMillis()), writer);
        RawJson plain = writer.finish();
        String state = seal(plain, key, RandomBytes.of(SALT), binding);
        Arrays.fill(room, 0, Math.min(plain.size(), room.length), (byte) 0);
        keep(room);
        if (state.length() > settings.maxBytes() && content.reports() != null) {
            return seal(content.withoutReports(), binding, mayMove);
        }
        if (state.length() > settings.maxBytes()) {
            throw tooLarge(content, state.length());
        }
        return state;
    }

    /** Seals with a salt that is chosen, for test vectors. */
    static String seal(RawJson plain, StateKey key, byte[] salt, StateBinding binding) {
        // so many bytes in front give four characters, the last of which the version replaces
        int from = VERSION.length();
        int content = from + HEAD;
        byte[] sealed = new byte[content + plain.size() + TAG];
        ByteBuffer.wrap(sealed, from, HEAD).putInt(key.id()).put(salt);
        plain.copyTo(sealed, content);
        try {
            cipher(Cipher.ENCRYPT_MODE, key, salt, binding)
                    .doFinal(sealed, content, plain.size(), sealed, content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a request state cannot be sealed", e);
        }
        byte[] text = spare(sealed.length * 4 / 3 + 1);
        int size = ENCODER.encode(sealed, text);
        System.arraycopy(VERSION_BYTES, 0, text, 1, from);
        String state = new String(text, 1, size - 1, StandardCharsets.ISO_8859_1);
        keep(text);
        return state;
    }

    /** Returns an array with at least so many bytes, for the caller alone until it is kept. */
    private static byte[] spare(int size) {
        byte[] spare = size <= SPARE ? SPARES.poll() : new byte[size];
        return spare == null ? new byte[SPARE] : spare;
    }

    private static void keep(byte[] spare) {
        if (spare.length == SPARE) {
            SPARES.offer(spare);
        }
    }

    private static Cipher cipher(int mode, StateKey key, byte[] salt, StateBinding binding)
            throws GeneralSecurityException {
        Provider found = provider;
        Cipher cipher =
                found == null ? Cipher.getInstance(CIPHER) : Cipher.getInstance(CIPHER, found);
        cipher.init(mode, key.derive(salt), NONCE);
        provider = cipher.getProvider();
        cipher.updateAAD(VERSION_BYTES);
        cipher.updateAAD(ByteBuffer.allocate(ID).putInt(key.id()).array());
        cipher.updateAAD(binding.digest());
        return cipher;
    }

    private JsonRpcException tooLarge(StateContent content, int size) {
        String problem =
                "The state of the request has %s bytes and may have %s"
                        .formatted(size, settings.maxBytes());
        Map<String, RawJson> parts = new LinkedHashMap<>(content.once());
        content.answers().forEach(answer -> parts.put(answer.key(), answer.value()));
        if (content.own() != null) {
            parts.put("state of the handler", RawJson.of(content.own()));
        }
        String values =
                parts.entrySet().stream()
                        .map(value -> value.getKey() + " " + value.getValue().size() + " bytes")
                        .collect(Collectors.joining(", "));
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                "",
                "{0} (RequestState.maxBytes): {1}. A task has room for more",
                problem,
                values);
        return new JsonRpcException(ErrorCode.INTERNAL_ERROR, problem);
    }

    /**
     * Opens a state.
     *
     * @param state as the request has it, a string
     * @throws JsonRpcException {@code -32602}, the same for every cause, if it was not sealed here
     *     for this binding, or has expired
     */
    public StateContent open(RawJson state, StateBinding binding) {
        require(state.size() - 2 <= settings.maxBytes(), Cause.TOO_LONG, binding);
        byte[] sealed = spare(state.size());
        try {
            byte[] text = state.stringAfter(VERSION);
            if (text == null) {
                throw new IllegalArgumentException("not of this version");
            }
            int size = Base64.getUrlDecoder().decode(text, sealed);
            require(isCanonical(text, sealed, size), Cause.MALFORMED, binding);
            int id = ByteBuffer.wrap(sealed).getInt();
            StateKey key =
                    settings.keys().current(timers::nanoTime).stream()
                            .filter(known -> known.id() == id)
                            .findFirst()
                            .orElseThrow(() -> refused(Cause.UNKNOWN_KEY, binding));
            int length =
                    cipher(Cipher.DECRYPT_MODE, key, Arrays.copyOfRange(sealed, ID, HEAD), binding)
                            .doFinal(sealed, HEAD, size - HEAD, text);
            StateContent content = CODEC.read(text, length);
            long now = timers.clock().millis();
            require(now < content.expires(), Cause.EXPIRED, binding);
            require(content.issued() <= now + SKEW.toMillis(), Cause.NOT_YET_VALID, binding);
            return content;
        } catch (GeneralSecurityException e) {
            throw refused(Cause.MISMATCH, binding);
        } catch (IllegalArgumentException | JsonBindingException | JsonException e) {
            RawJson plain = RawJson.of(state.value()); // without escapes
            if (!plain.equals(state)) {
                return open(plain, binding);
            }
            throw refused(Cause.MALFORMED, binding);
        } finally {
            keep(sealed);
        }
    }

    /**
     * Returns whether the text is the canonical one: other spellings of the same bytes have
     * padding, or spare bits at the end.
     */
    private static boolean isCanonical(byte[] text, byte[] sealed, int size) {
        byte[] last = ENCODER.encode(Arrays.copyOfRange(sealed, size / 3 * 3, size));
        int end = text.length;
        return size >= HEAD + TAG
                && Arrays.equals(text, end - last.length, end, last, 0, last.length);
    }

    private void require(boolean valid, Cause otherwise, StateBinding binding) {
        if (!valid) {
            throw refused(otherwise, binding);
        }
    }

    private JsonRpcException refused(Cause cause, StateBinding binding) {
        refused.incrementAndGet(cause.ordinal());
        onRefused.accept(new RequestStateRefusal(binding.method(), cause));
        LOGGER.log(Level.DEBUG, "A request state is refused: {0}", cause.label());
        return new JsonRpcException(
                ErrorCode.INVALID_PARAMS,
                "Invalid or expired requestState",
                JsonObject.of("reason", "invalid_request_state"));
    }
}
