package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonObject;

import java.util.regex.Pattern;

/**
 * The keys of {@code _meta}: those that the protocol reserves, and the rules for all others.
 *
 * <p>A key is a name, best behind a prefix of reversed domain labels: {@code com.example/trace}.
 */
public final class MetaKey {
    /**
     * The token under which a request asks for progress. Never among the {@code meta} of a record.
     */
    public static final String PROGRESS_TOKEN = "progressToken";

    /** The task that a message belongs to. */
    public static final String RELATED_TASK = "io.modelcontextprotocol/related-task";

    /** A text for the model while a task runs. */
    public static final String MODEL_IMMEDIATE_RESPONSE =
            "io.modelcontextprotocol/model-immediate-response";

    /** The revision of a request, since 2026-07-28. */
    public static final String PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";

    /** The capabilities of the client of a request, since 2026-07-28. */
    public static final String CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

    /** The program that sent a request, since 2026-07-28. */
    public static final String CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

    /** The least severe level of log messages for a request, since 2026-07-28. */
    public static final String LOG_LEVEL = "io.modelcontextprotocol/logLevel";

    /** The program that sent a result, since 2026-07-28. */
    public static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";

    /** The subscription that a notification belongs to, since 2026-07-28. */
    public static final String SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

    private static final Pattern PREFIX =
            Pattern.compile(
                    "[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*");

    private static final Pattern NAME =
            Pattern.compile("(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?");

    private MetaKey() {}

    /**
     * Checks a custom key.
     *
     * @throws IllegalArgumentException if it breaks the rules for keys or is reserved; the message
     *     names it
     */
    public static void check(String key) {
        int slash = key.indexOf('/');
        String name = key.substring(slash + 1);
        if (slash >= 0 && !PREFIX.matcher(key.substring(0, slash)).matches()) {
            throw new IllegalArgumentException(
                    "the prefix of a _meta key must be labels of letters, digits and hyphens,"
                            + " joined by dots, but the key was "
                            + key);
        }
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the name of a _meta key must begin and end with a letter or digit and have"
                            + " only letters, digits, - _ . between, but the key was "
                            + key);
        }
        if (isReserved(key)) {
            throw new IllegalArgumentException("the protocol reserves the _meta key " + key);
        }
    }

    /** Checks every key of a custom {@code _meta}; fails as {@link #check} does. */
    public static void checkAll(JsonObject meta) {
        meta.names().forEach(MetaKey::check);
    }

    /**
     * Returns whether the protocol keeps this key for itself: {@code progressToken}, and every
     * prefix whose first label (before revision 2025-11-25) or second label (since) is {@code
     * modelcontextprotocol} or {@code mcp}.
     */
    public static boolean isReserved(String key) {
        int slash = key.indexOf('/');
        if (slash < 0) {
            return key.equals(PROGRESS_TOKEN);
        }
        String[] labels = key.substring(0, slash).split("\\.", 3);
        return isReservedLabel(labels[0]) || (labels.length > 1 && isReservedLabel(labels[1]));
    }

    private static boolean isReservedLabel(String label) {
        return label.equals("modelcontextprotocol") || label.equals("mcp");
    }
}
