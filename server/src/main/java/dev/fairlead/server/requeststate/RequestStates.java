package dev.fairlead.server.requeststate;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.time.Timers;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

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
    private static final byte[] LABEL =
            "fairlead request state v1".getBytes(StandardCharsets.UTF_8);
    private static final int ID = 4;
    private static final int SALT = 16;
    private static final int TAG = 16;
    private static final byte[] NONCE = new byte[12];
    private static final Duration SKEW = Duration.ofSeconds(60);
    private static final JsonCodec<StateContent> CODEC = JsonCodec.of(StateContent.class);

    private final StateKeys keys;
    private final Duration ttl;
    private final int maxBytes;
    private final Timers timers;
    private final SecureRandom random = new SecureRandom();
    private final LongAdder refused = new LongAdder();
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param ttl how long a state can be opened
     * @param maxBytes the most bytes of a state as it is sent
     */
    public RequestStates(StateKeys keys, Duration ttl, int maxBytes, Timers timers) {
        this.keys = keys;
        this.ttl = ttl;
        this.maxBytes = maxBytes;
        this.timers = timers;
    }

    /** Returns how many states were refused. */
    public long refused() {
        return refused.sum();
    }

    /**
     * Seals a state.
     *
     * @param mayMove whether another process may get the state back
     * @throws JsonRpcException {@code -32603} if it is too large
     */
    public String seal(StateContent content, StateBinding binding, boolean mayMove) {
        if (mayMove && !keys.isShared() && warned.compareAndSet(false, true)) {
            LOGGER.log(
                    Level.WARNING,
                    "Request states are sealed with a key of this process: a client that answers"
                            + " another process, or after a restart, is refused. Set"
                            + " McpServer.Builder.requestState(RequestState.keys(…))");
        }
        long now = timers.clock().millis();
        byte[] plain = CODEC.write(content.during(now, now + ttl.toMillis())).toBytes();
        KeyRing.Key key = keys.ring(timers::nanoTime).first();
        byte[] salt = new byte[SALT];
        random.nextBytes(salt);
        String state = VERSION + encoder().encodeToString(seal(plain, key, salt, binding));
        if (state.length() > maxBytes) {
            throw tooLarge(content, state.length());
        }
        return state;
    }

    private static Base64.Encoder encoder() {
        return Base64.getUrlEncoder().withoutPadding();
    }

    /** The bytes of a state; fixed salts are for test vectors. */
    static byte[] seal(byte[] plain, KeyRing.Key key, byte[] salt, StateBinding binding) {
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, salt, binding);
            ByteBuffer out = ByteBuffer.allocate(ID + SALT + plain.length + TAG);
            out.putInt(key.id()).put(salt);
            cipher.doFinal(ByteBuffer.wrap(plain), out);
            return out.array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a request state cannot be sealed", e);
        }
    }

    private static Cipher cipher(int mode, KeyRing.Key key, byte[] salt, StateBinding binding)
            throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key.secret(), "HmacSHA256"));
        mac.update(LABEL);
        SecretKeySpec own = new SecretKeySpec(mac.doFinal(salt), "AES");
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, own, new GCMParameterSpec(TAG * 8, NONCE));
        cipher.updateAAD(VERSION.getBytes(StandardCharsets.UTF_8));
        cipher.updateAAD(ByteBuffer.allocate(ID).putInt(key.id()).flip());
        cipher.updateAAD(binding.digest());
        return cipher;
    }

    private JsonRpcException tooLarge(StateContent content, int size) {
        String values =
                sizes(content.once())
                        + (content.answers().isEmpty() ? "" : ", ")
                        + sizes(content.answers());
        LOGGER.log(
                Level.WARNING,
                "A request state has {0} bytes and may have {1} (RequestState.maxBytes). Its values"
                        + " and answers: {2}. A task has room for more",
                Integer.toString(size),
                Integer.toString(maxBytes),
                values);
        return new JsonRpcException(
                ErrorCode.INTERNAL_ERROR,
                "The state of the request has " + size + " bytes and may have " + maxBytes);
    }

    private static String sizes(Map<String, JsonValue> values) {
        return values.entrySet().stream()
                .map(value -> value.getKey() + " " + RawJson.of(value.getValue()).size() + " bytes")
                .collect(Collectors.joining(", "));
    }

    /**
     * Opens a state.
     *
     * @throws JsonRpcException {@code -32602}, the same for every cause, if it was not sealed here
     *     for this binding, or has expired
     */
    public StateContent open(String state, StateBinding binding) {
        try {
            StateContent content = CODEC.read(RawJson.parse(opened(state, binding)));
            long now = timers.clock().millis();
            if (now >= content.expires()) {
                throw new GeneralSecurityException("it has expired");
            }
            if (content.issued() > now + SKEW.toMillis()) {
                throw new GeneralSecurityException("it is from the future");
            }
            return content;
        } catch (GeneralSecurityException
                | IllegalArgumentException
                | JsonBindingException
                | JsonException e) {
            refused.increment();
            LOGGER.log(
                    Level.DEBUG,
                    "A request state is refused: {0}",
                    e instanceof GeneralSecurityException ? e.getMessage() : "it is malformed");
            throw new JsonRpcException(
                    ErrorCode.INVALID_PARAMS,
                    "Invalid or expired requestState",
                    JsonObject.of("reason", "invalid_request_state"));
        }
    }

    private byte[] opened(String state, StateBinding binding) throws GeneralSecurityException {
        if (state.length() > maxBytes) {
            throw new GeneralSecurityException("it is too long");
        }
        if (!state.startsWith(VERSION)) {
            throw new GeneralSecurityException("its version is unknown");
        }
        String text = state.substring(VERSION.length());
        byte[] sealed = Base64.getUrlDecoder().decode(text);
        if (sealed.length < ID + SALT + TAG || !encoder().encodeToString(sealed).equals(text)) {
            throw new GeneralSecurityException("it is too short, or not canonical");
        }
        ByteBuffer in = ByteBuffer.wrap(sealed);
        KeyRing.Key key =
                keys.ring(timers::nanoTime)
                        .find(in.getInt())
                        .orElseThrow(() -> new GeneralSecurityException("its key is unknown"));
        byte[] salt = new byte[SALT];
        in.get(salt);
        Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, salt, binding);
        return cipher.doFinal(sealed, ID + SALT, sealed.length - ID - SALT);
    }
}
