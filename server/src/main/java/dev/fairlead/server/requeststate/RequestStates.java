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
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals and opens states. A state is {@code v1.} and the unpadded Base64 (URL alphabet) of the id
 * of a key (4 bytes), a salt (16), and what AES-256-GCM makes of the content. Its AES key is the
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
    private static final Provider PROVIDER = provider();
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    /** Is reused since a new array costs more than to fill it; has sealed states alone. */
    private static final AtomicReference<byte @Nullable []> SPARE = new AtomicReference<>();

    /** A larger array is not kept: the states of most servers may have half of this at most. */
    private static final int LARGEST_SPARE = 64 << 10;

    private static final Duration SKEW = Duration.ofSeconds(60);
    private static final JsonCodec<StateContent> CODEC = JsonCodec.of(StateContent.class);

    private final StateSettings settings;
    private final Timers timers;
    private final Consumer<RequestStateRefusal> onRefused;
    private final SecureRandom random = new SecureRandom();
    private final Map<Cause, LongAdder> refused = new EnumMap<>(Cause.class);
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param onRefused is given each request that is refused, and returns soon
     */
    public RequestStates(
            StateSettings settings, Timers timers, Consumer<RequestStateRefusal> onRefused) {
        this.settings = settings;
        this.timers = timers;
        this.onRefused = onRefused;
        for (Cause cause : Cause.values()) {
            refused.put(cause, new LongAdder());
        }
    }

    /** Returns how many states were refused. */
    public long refused() {
        return refused.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** Returns how many states were refused for this cause. */
    public long refused(Cause cause) {
        return counter(cause).sum();
    }

    private LongAdder counter(Cause cause) {
        return Objects.requireNonNull(refused.get(cause), "every cause has a counter");
    }

    /** A state is refused for a cause that is known. */
    private static final class RefusedException extends GeneralSecurityException {
        private static final long serialVersionUID = 1;

        private final Cause cause;

        RefusedException(Cause cause) {
            super(cause.label());
            this.cause = cause;
        }
    }

    /**
     * Seals a state.
     *
     * @param mayMove whether another process may get the state back
     * @throws JsonRpcException {@code -32603} if it is too large
     */
    public String seal(StateContent content, StateBinding binding, boolean mayMove) {
        if (mayMove && !settings.keys().isShared() && warned.compareAndSet(false, true)) {
            LOGGER.log(
                    Level.WARNING,
                    "Request states are sealed with a key of this process: a client that answers"
                            + " another process, or after a restart, is refused. Set"
                            + " McpServer.Builder.requestState(RequestState.keys(…))");
        }
        long now = timers.clock().millis();
        JsonWriter plain = new JsonWriter(content.size()); // a larger array costs more than AES
        CODEC.write(content.during(now, now + settings.ttl().toMillis()), plain);
        byte[] salt = new byte[SALT];
        random.nextBytes(salt);
        StateKey key = settings.keys().current(timers::nanoTime).get(0);
        String state = seal(plain.finish(), key, salt, binding);
        if (state.length() > settings.maxBytes()) {
            throw tooLarge(content, state.length());
        }
        return state;
    }

    /** Seals with a salt that is chosen, for test vectors. */
    static String seal(RawJson plain, StateKey key, byte[] salt, StateBinding binding) {
        byte[] sealed =
                ByteBuffer.allocate(HEAD + plain.size() + TAG).putInt(key.id()).put(salt).array();
        plain.copyTo(sealed, HEAD);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, sealed, binding);
            cipher.doFinal(sealed, HEAD, plain.size(), sealed, HEAD);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a request state cannot be sealed", e);
        }
        int size = VERSION.length() + (sealed.length * 4 + 2) / 3;
        byte[] text = SPARE.getAndSet(null);
        if (text == null || text.length < size) {
            text = new byte[size];
        }
        int length = ENCODER.encode(sealed, text);
        System.arraycopy(text, 0, text, VERSION.length(), length);
        System.arraycopy(VERSION_BYTES, 0, text, 0, VERSION.length());
        String state = new String(text, 0, size, StandardCharsets.ISO_8859_1);
        if (text.length <= LARGEST_SPARE) {
            SPARE.set(text);
        }
        return state;
    }

    /** Returns the provider of the cipher: to find it for each state takes longer than sealing. */
    private static Provider provider() {
        try {
            return Cipher.getInstance(CIPHER).getProvider();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES-GCM", e);
        }
    }

    /**
     * @param sealed which begins with the id of the key and the salt
     */
    private static Cipher cipher(int mode, StateKey key, byte[] sealed, StateBinding binding)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER, PROVIDER);
        cipher.init(mode, key.derive(sealed, ID, SALT), NONCE);
        cipher.updateAAD(VERSION_BYTES);
        cipher.updateAAD(sealed, 0, ID);
        cipher.updateAAD(binding.digest());
        return cipher;
    }

    private JsonRpcException tooLarge(StateContent content, int size) {
        String problem =
                "The state of the request has %d bytes and may have %d"
                        .formatted(size, settings.maxBytes());
        String values =
                Stream.of(content.once(), content.answers())
                        .flatMap(kind -> kind.entrySet().stream())
                        .map(value -> value.getKey() + " " + value.getValue().size() + " bytes")
                        .collect(Collectors.joining(", "));
        LOGGER.log(
                Level.WARNING,
                problem + " (RequestState.maxBytes): {0}. A task has room for more",
                values);
        return new JsonRpcException(ErrorCode.INTERNAL_ERROR, problem);
    }

    /**
     * Opens a state.
     *
     * @throws JsonRpcException {@code -32602}, the same for every cause, if it was not sealed here
     *     for this binding, or has expired
     */
    public StateContent open(String state, StateBinding binding) {
        try {
            StateContent content = CODEC.read(opened(state, binding));
            long now = timers.clock().millis();
            require(now < content.expires(), Cause.EXPIRED);
            require(content.issued() <= now + SKEW.toMillis(), Cause.NOT_YET_VALID);
            return content;
        } catch (GeneralSecurityException
                | IllegalArgumentException
                | JsonBindingException
                | JsonException e) {
            Cause cause = cause(e);
            counter(cause).increment();
            onRefused.accept(new RequestStateRefusal(binding.method(), cause));
            LOGGER.log(Level.DEBUG, "A request state is refused: {0}", cause.label());
            throw new JsonRpcException(
                    ErrorCode.INVALID_PARAMS,
                    "Invalid or expired requestState",
                    JsonObject.of("reason", "invalid_request_state"));
        }
    }

    private static void require(boolean valid, Cause otherwise) throws GeneralSecurityException {
        if (!valid) {
            throw new RefusedException(otherwise);
        }
    }

    private static Cause cause(Exception failure) {
        return switch (failure) {
            case RefusedException known -> known.cause;
            case GeneralSecurityException cipher -> Cause.MISMATCH;
            default -> Cause.MALFORMED;
        };
    }

    private byte[] opened(String state, StateBinding binding) throws GeneralSecurityException {
        require(state.length() <= settings.maxBytes(), Cause.TOO_LONG);
        require(state.startsWith(VERSION), Cause.MALFORMED);
        ByteBuffer text = ByteBuffer.wrap(state.getBytes(StandardCharsets.ISO_8859_1));
        byte[] sealed = Base64.getUrlDecoder().decode(text.position(VERSION.length())).array();
        require(sealed.length >= HEAD + TAG, Cause.MALFORMED);
        // what differs between spellings of the same bytes is padding, and spare bits at the end
        byte[] last = Arrays.copyOfRange(sealed, sealed.length / 3 * 3, sealed.length);
        require(state.endsWith(ENCODER.encodeToString(last)), Cause.MALFORMED);
        int id = ByteBuffer.wrap(sealed).getInt();
        StateKey key =
                settings.keys().current(timers::nanoTime).stream()
                        .filter(known -> known.id() == id)
                        .findFirst()
                        .orElseThrow(() -> new RefusedException(Cause.UNKNOWN_KEY));
        int length =
                cipher(Cipher.DECRYPT_MODE, key, sealed, binding)
                        .doFinal(sealed, HEAD, sealed.length - HEAD, sealed);
        Arrays.fill(sealed, length, sealed.length, (byte) ' '); // which JSON may end with
        return sealed;
    }
}
