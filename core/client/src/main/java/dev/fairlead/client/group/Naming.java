package dev.fairlead.client.group;

import dev.fairlead.protocol.platform.Sha256;

import java.util.Objects;

/**
 * How the names of tools and prompts look in a group.
 *
 * <p>A name that only one server uses stays as it is, unless {@code always} is set. One that
 * several use is prefixed with the name of the server and the separator for each of them, and so is
 * one that looks as if it had the prefix of another server. In prefixes, characters of servers'
 * names that names of tools may not have become {@code _}. A name that is too long is cut and ends
 * in a digest of the whole, so that it stays unique and always the same; so does one that would
 * look like that of another tool once its characters are replaced.
 *
 * @param separator between the name of the server and that of the item
 * @param maxLength how long a name may be, at least 16
 * @param strict whether characters other than {@code A-Z a-z 0-9 _ -} become {@code _}
 * @param always whether every name is prefixed: then a name depends on its own server only
 */
public record Naming(String separator, int maxLength, boolean strict, boolean always) {
    private static final int DIGEST = 8;

    /** {@code files.read}, at most 128 characters. */
    public static final Naming DEFAULT = new Naming(".", 128, false, false);

    /**
     * The names for models that allow no more than {@code [a-zA-Z0-9_-]{1,64}}: {@code files_read}.
     */
    public static final Naming STRICT = new Naming("_", 64, true, false);

    public Naming {
        Objects.requireNonNull(separator, "separator");
        if (maxLength < 16) {
            throw new IllegalArgumentException(
                    "maxLength must be at least 16 but was " + maxLength);
        }
        if (strict && !separator.equals(allowed(separator))) {
            throw new IllegalArgumentException(
                    "a strict separator must be of A-Z a-z 0-9 _ - but was " + separator);
        }
    }

    /** A copy that prefixes every name. */
    public Naming prefixAlways() {
        return new Naming(separator, maxLength, strict, true);
    }

    /** A copy with this separator. */
    public Naming withSeparator(String text) {
        return new Naming(text, maxLength, strict, always);
    }

    /** The name of an item alone. */
    String plain(String name) {
        return fit(name, name);
    }

    /** The name of an item with that of its server. */
    String prefixed(String server, String name) {
        return fit(prefix(server) + name, server + separator + name);
    }

    /**
     * A name for an item whose name even with its server is taken.
     *
     * @param attempt another one gives another name
     */
    String distinct(String server, String name, int attempt) {
        String whole = prefix(server) + name;
        return shortened(
                strict ? allowed(whole) : whole, server + "\n" + name + "\n".repeat(attempt));
    }

    /** The prefix of a server's item names. */
    String prefix(String server) {
        String whole = server.replaceAll("[^A-Za-z0-9_.-]", "_") + separator;
        return strict ? allowed(whole) : whole;
    }

    private String fit(String text, String whole) {
        String fitting = strict ? allowed(text) : text;
        boolean isReadable = !strict || !fitting.matches("[_-]*"); // else all of them look the same
        return fitting.length() <= maxLength && isReadable ? fitting : shortened(fitting, whole);
    }

    private String shortened(String text, String whole) {
        int room = Math.min(text.length(), maxLength - DIGEST - 1);
        if (room > 0 && room < text.length() && Character.isHighSurrogate(text.charAt(room - 1))) {
            room--;
        }
        return text.substring(0, room) + "_" + Sha256.hex(whole).substring(0, DIGEST);
    }

    private static String allowed(String text) {
        return text.replaceAll("[^A-Za-z0-9_-]", "_");
    }
}
